import { createHash } from 'node:crypto';
import type { ImportedEssay, ImportedPage } from './types.ts';

/** Changes if the original was changed since an earlier import. */
export const hashContent = (given: ImportedEssay | ImportedPage): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        given.title,
        given.slug,
        given.content,
        given.summary,
        given.tags,
        given.categories,
        given.cover,
        given.status,
        given.commentsClosed,
        given.publishedAt,
      ]),
    )
    .digest('hex');
