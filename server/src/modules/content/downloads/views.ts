import { stringify } from 'yaml';
import type { Source } from './queries.ts';

/** Pictures of this site, which are elsewhere for whoever has the file. */
const PICTURE = /(?<=[("<\s]|^)\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.\w{2,5}/gm;

/** A Markdown file as other programs, and the import of this one, read it. */
export function toMarkdown(source: Source, siteUrl: string): string {
  const { essay, ownSummary, content, author, category, column } = source;
  const head = {
    title: essay.title,
    author: author.displayName,
    ...(essay.publishedAt === null ? {} : { date: essay.publishedAt.toISOString() }),
    updated: essay.updatedAt.toISOString(),
    ...(category === null ? {} : { category: category.name }),
    ...(column === null ? {} : { column: column.name }),
    ...(essay.tags.length === 0 ? {} : { tags: essay.tags }),
    ...(ownSummary === '' ? {} : { summary: essay.summary }),
    ...(essay.price === 0 ? {} : { price: essay.price / 100 }),
    ...(essay.memberFree ? { memberFree: true } : {}),
    ...(essay.price === 0 && !essay.memberFree ? {} : { previewPercent: essay.previewPercent }),
    ...(essay.declaration === 'none' ? {} : { declaration: essay.declaration }),
    ...(essay.source === '' ? {} : { source: essay.source }),
    url: `${siteUrl}/essay/detail/${essay.id}.html`,
  };
  const body = content.replace(PICTURE, (path) => siteUrl + path);
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/** A title may have signs that folders are told by. */
export const toTitleName = (title: string, end: string): string =>
  `${title.replace(/[/\\]/g, '-').trim() || '文章'}.${end}`;
