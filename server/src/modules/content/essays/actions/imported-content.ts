import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import { hasUpload } from '../../../platform/uploads/index.ts';
import { listDrawings } from '../queries/drawings.ts';
import * as queries from '../queries/essays.ts';
import { lockForImport } from '../queries/pins.ts';
import type { EssayRow } from '../tables.ts';
import { type ImportedPins, pinImported } from './pins.ts';
import { recordStatusChange } from './records.ts';
import { countCharacters, uniqueTags } from './save.ts';
import { invalidateLists, putOnShelf, reindexEssays, takeOffShelf } from './shelf.ts';
import { prepareSubmission, toRenderedTexts } from './submission.ts';

/** Attachments and covers must belong to the author. */
export type ImportedContent = Pick<
  EssayFields,
  'title' | 'content' | 'summary' | 'tags' | 'cover' | 'attachments'
>;

const FIELDS = ['title', 'content', 'summary', 'tags', 'cover', 'attachments'] as const;

const isSame = (a: ImportedContent, b: ImportedContent): boolean =>
  FIELDS.every((field) => String(a[field]) === String(b[field]));

interface Replacement {
  essayId: string;
  /** The version that the import created; an essay with a later one was edited and is not changed. */
  version: number;
  change: (given: ImportedContent) => ImportedContent;
  /** When the original was changed; by default the time of the essay stays. */
  updatedAt?: Date;
}

/**
 * Replaces the text of an imported version in place, because what an import brings later is not an edit by the author.
 * The result is the content before, or null if the essay was edited since.
 */
export async function prepareImportedContent(
  ctx: Ctx,
  { essayId, version, change, updatedAt }: Replacement,
): Promise<Prepared<ImportedContent | null>> {
  const before = await queries.findRevision(ctx.db, essayId, version);
  if (before === null) return async () => null;
  const { title, summary, tags, cover, attachments } = before.fields;
  const given: ImportedContent = { title, content: before.content, summary, tags, cover, attachments };
  const changed = change(given);
  const next = { ...changed, tags: uniqueTags(changed.tags) };
  if (isSame(next, given))
    return async (ctx) => ((await queries.lockEssay(ctx.db, essayId)).version === version ? given : null);
  const { content, ...settings } = next;
  const fields = { ...before.fields, ...settings };
  const isRendered = (await queries.findText(ctx.db, essayId, version)) !== null;
  const submission = isRendered
    ? await prepareSubmission(
        ctx,
        { ...fields, content },
        { stored: await listDrawings(ctx.db, essayId, version) },
      )
    : null;
  const { wordCount, readMinutes } =
    submission?.publicText ?? (await countMarkdownWords(callerOf(ctx), content));
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, essayId);
      const current = await queries.findRevision(ctx.db, essayId, version);
      if (essay.version !== version || current?.content !== before.content) return null;
      const newCover = await chooseCover(ctx, essay, next.cover);
      await queries.replaceRevision(ctx.db, version, {
        ...before,
        title: next.title,
        fields: { ...current.fields, ...settings, cover: newCover },
        content,
        characters: countCharacters(content),
        wordCount,
      });
      if (submission !== null) {
        await queries.insertRenderedTexts(ctx.db, toRenderedTexts(submission, { essayId, version }));
      }
      const at = updatedAt ?? essay.updatedAt;
      const hasNewTags = String(next.tags) !== String(tags);
      const isShelved = essay.status === ESSAY_STATUS.onShelf && essay.shelvedVersion === version;
      // Counts the tags.
      if (hasNewTags && isShelved) await putOnShelf(ctx, essay, version);
      const { tags: newTags, ...card } = settings;
      const changedEssay = await queries.updateEssay(ctx.db, essayId, {
        ...card,
        ...(hasNewTags && !isShelved ? { tags: newTags } : {}),
        ...(submission === null
          ? {}
          : { title: submission.publicText.title, summary: submission.publicText.summary }),
        cover: newCover,
        wordCount,
        readMinutes,
        updatedAt: at,
        savedAt: at,
      });
      await reindexEssays(ctx, [essayId]);
      invalidateLists(ctx, changedEssay);
      return given;
    });
}

/** A cover must be a picture of the author. */
const chooseCover = async (ctx: Ctx, { authorId, cover }: EssayRow, wanted: string): Promise<string> =>
  wanted !== cover && wanted !== '' && !(await hasUpload(ctx.db, authorId, wanted)) ? cover : wanted;

/** What an essay was before it was withdrawn. */
export type Withdrawn = { status: typeof ESSAY_STATUS.onShelf | typeof ESSAY_STATUS.approved } & ImportedPins;

/** Takes back an imported essay whose original is not public any more; the result is null if it is not public here. */
export async function withdrawImported(ctx: Ctx, essayId: string): Promise<Withdrawn | null> {
  const essay = await queries.lockEssay(ctx.db, essayId);
  const { status } = essay;
  if (status !== ESSAY_STATUS.onShelf && status !== ESSAY_STATUS.approved) return null;
  const to = status === ESSAY_STATUS.onShelf ? ESSAY_STATUS.offShelf : ESSAY_STATUS.draft;
  await recordStatusChange(ctx, essay, { to, isRevision: false, reason: '原文不再公开' });
  await takeOffShelf(ctx, essay);
  await queries.updateEssay(ctx.db, essayId, { status: to, submittedAt: null, submittedVersion: null });
  return { status, author: essay.authorPin, site: essay.sitePin };
}

/** Puts back an essay that `withdrawImported` took off the shelf, unless its status was changed since. */
export async function restoreWithdrawn(ctx: Ctx, essayId: string, was: Withdrawn): Promise<boolean> {
  const essay = await queries.lockEssay(ctx.db, essayId);
  const isOff = essay.status === ESSAY_STATUS.offShelf && !essay.offByStaff;
  if (was.status !== ESSAY_STATUS.onShelf || !isOff || essay.shelvedVersion === null) return false;
  await lockForImport(ctx.db, essay.authorId);
  await recordStatusChange(ctx, essay, { to: ESSAY_STATUS.onShelf, isRevision: false });
  await putOnShelf(ctx, essay, essay.shelvedVersion);
  const { updatedAt, savedAt } = essay;
  await pinImported(ctx, await queries.updateEssay(ctx.db, essayId, { updatedAt, savedAt }), was);
  return true;
}
