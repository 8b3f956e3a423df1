import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { essayPath, pathTo, personPath } from '#web/router/router.tsx';

/** What the head of an essay's page says; the same for the page with the site's frame and for the one without. */
export function essayHead(essay: Essay) {
  const { id, title, summary, cover, category, author, locked } = essay;
  const section = category && {
    name: category.name,
    path: pathTo({ to: '/essay/:slug.html', params: { slug: category.slug } }),
  };
  return {
    kind: 'Article' as const,
    title,
    description: summary || title,
    path: essayPath(id),
    ...(cover === '' ? { image: `/og/${id}.png` } : { image: cover, imageSize: essay.coverSize }),
    // What only its author and auditors see.
    hidden: essay.status !== ESSAY_STATUS.onShelf,
    trail: [{ name: '首页', path: '/home' }, ...(section === null ? [] : [section])],
    article: {
      author: { name: author.displayName, path: personPath(author.id) },
      publishedAt: essay.publishedAt,
      updatedAt: essay.updatedAt,
      section: category?.name ?? null,
      tags: essay.tags,
      free: locked === null,
      wordCount: essay.wordCount,
    },
  };
}
