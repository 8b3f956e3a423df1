import { stringify } from 'yaml';
import { essayPathOf } from '../essays/index.ts';
import type { DownloadSource } from './queries.ts';

/** Root-relative paths of uploaded pictures, which must become absolute in a file. */
const PICTURE = /(?<=[("<\s]|^)\/files\/[0-9a-f]{2}\/[0-9a-f]{62}\.\w{2,5}/gm;

/** Markdown with YAML front matter, which the import of this site can read again. */
export function toMarkdown(source: DownloadSource, siteUrl: string): string {
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
    url: siteUrl + essayPathOf(essay),
  };
  const body = content.replace(PICTURE, (path) => siteUrl + path);
  return `---\n${stringify(head, { lineWidth: 0 })}---\n\n${body.trim()}\n`;
}

/** Replaces path separators. */
export const toTitleFileName = (title: string, end: string): string =>
  `${title.replace(/[/\\]/g, '-').trim() || '文章'}.${end}`;
