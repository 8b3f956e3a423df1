import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { essayPath, pathTo, userPath } from '#web/router/router.tsx';

/** The metadata of an essay's page, the same with and without the site's frame. */
export function essayMeta(essay: Essay) {
  const { id, title, summary, cover, shareCover, category, author, locked } = essay;
  const section = category && {
    name: category.name,
    path: pathTo({ to: '/essay/:slug.html', params: { slug: category.slug } }),
  };
  return {
    kind: 'Article' as const,
    title,
    description: summary || title,
    path: essayPath(essay),
    ...(cover === '' ? { image: `/og/${id}.png` } : { image: cover, imageSize: essay.coverSize }),
    ...(shareCover === '' ? {} : { squareImage: shareCover }),
    // Only its author and auditors see it.
    hidden: essay.status !== ESSAY_STATUS.onShelf,
    breadcrumbs: [{ name: '首页', path: '/home' }, ...(section === null ? [] : [section])],
    article: {
      author: { name: author.displayName, path: userPath(author.id) },
      publishedAt: essay.publishedAt,
      updatedAt: essay.updatedAt,
      section: category?.name ?? null,
      tags: essay.tags,
      isFree: locked === null,
      wordCount: essay.wordCount,
    },
  };
}
