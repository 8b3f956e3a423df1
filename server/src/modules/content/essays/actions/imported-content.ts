import { type Ctx, inTransaction } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import * as queries from '../queries/essays.ts';
import type { EssayRow } from '../tables.ts';
import { countCharacters } from './save.ts';
import { invalidateLists, reindexEssays } from './shelf.ts';
import { prepareSubmission } from './submission.ts';

export interface ImportedContent {
  content: string;
  cover: string;
  /** Ids of attachments of the author. */
  attachments: string[];
}

interface Replacement {
  essayId: string;
  /** The version that the import created; an essay with a later one was edited and is not changed. */
  version: number;
  change: (given: ImportedContent) => ImportedContent;
}

/**
 * Replaces the text of an imported version in place, because fetched pictures are part of the import and not an edit.
 * The result is false if the essay was edited since.
 */
export async function prepareImportedContent(
  ctx: Ctx,
  { essayId, version, change }: Replacement,
): Promise<Prepared<boolean>> {
  const before = await queries.findRevision(ctx.db, essayId, version);
  if (before === null) return async () => false;
  const { cover, attachments } = before.fields;
  const given = { content: before.content, cover, attachments };
  const next = change(given);
  const hasSameFiles = next.cover === cover && next.attachments.join() === attachments.join();
  if (next.content === given.content && hasSameFiles)
    return async (ctx) => (await queries.lockEssay(ctx.db, essayId)).version === version;
  const fields = { ...before.fields, cover: next.cover, attachments: next.attachments };
  const isRendered = (await queries.findText(ctx.db, essayId, version)) !== null;
  const submission = isRendered ? await prepareSubmission(ctx, { ...fields, content: next.content }) : null;
  const { wordCount, readMinutes } =
    submission?.publicText ?? (await countMarkdownWords(callerOf(ctx), next.content));
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, essayId);
      const current = await queries.findRevision(ctx.db, essayId, version);
      if (essay.version !== version || current?.content !== before.content) return false;
      const cover = await chooseCover(ctx, essay, next.cover);
      await queries.replaceRevision(ctx.db, version, {
        ...before,
        fields: { ...current.fields, cover, attachments: next.attachments },
        content: next.content,
        characters: countCharacters(next.content),
        wordCount,
      });
      if (submission !== null) {
        const { publicText, lockedText } = submission;
        await queries.insertRenderedTexts(
          ctx.db,
          { ...publicText, essayId, version },
          lockedText === null ? null : { ...lockedText, essayId, version },
        );
      }
      const changed = await queries.updateEssay(ctx.db, essayId, {
        cover,
        attachments: next.attachments,
        wordCount,
        readMinutes,
        ...(submission === null ? {} : { summary: submission.publicText.summary }),
      });
      await reindexEssays(ctx, [essayId]);
      invalidateLists(ctx, changed);
      return true;
    });
}

/** A cover must be a picture of the author. */
const chooseCover = async (ctx: Ctx, { authorId, cover }: EssayRow, wanted: string): Promise<string> =>
  wanted !== cover && !(await hasUpload(ctx.db, authorId, wanted)) ? cover : wanted;
