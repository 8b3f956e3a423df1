import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import type { TextLength } from '@mozhan/contract/word-count.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared, prepareThenRun } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { requirePhone } from '../../../accounts/users/index.ts';
import { countMarkdownWords } from '../../../platform/text/index.ts';
import { hasUpload, listAttachments } from '../../../platform/uploads/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { isLibraryCover } from '../../covers/index.ts';
import { columnRows } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/reader-state.ts';
import { resolveTagAliases } from '../queries/tags.ts';
import { canEdit, essayNotFound, isEditable } from '../rules/essays.ts';
import type { EssayRow, EssaySettings, RevisionRow } from '../tables.ts';
import { editorIdOf, getAuthorId, recordStaffChange } from './on-behalf.ts';
import { recordStatusChange } from './records.ts';
import { setSlug } from './slugs.ts';
import { prepareSubmission, type Submission, toRenderedTexts } from './submission.ts';

type GivenFields = Partial<EssayFields>;

const EMPTY_FIELDS: EssayFields = {
  title: '',
  content: '',
  categoryId: null,
  summary: '',
  tags: [],
  cover: '',
  shareCover: '',
  price: 0,
  memberFree: false,
  previewPercent: 30,
  allowComment: true,
  declaration: 'none',
  source: '',
  columnId: null,
  attachments: [],
  scheduledAt: null,
};

/** Autosaves within this time replace each other instead of adding a version. */
const COALESCE_MS = 10 * 60_000;

/** Removes duplicates that differ only in case or width; the first spelling wins. */
export function uniqueTags(tags: string[]): string[] {
  const seen = new Map(
    tags.map((tag) => [tag.normalize('NFKC').toLowerCase(), tag.normalize('NFC')] as const).reverse(),
  );
  return [...new Set(tags.map((tag) => seen.get(tag.normalize('NFKC').toLowerCase()) ?? tag))];
}

const ownersOf = ({ viewer }: Ctx, authorId: string): string[] =>
  viewer === null ? [authorId] : [authorId, viewer.id];

type KeptFiles = Pick<EssayFields, 'cover' | 'shareCover' | 'attachments'>;
const NO_FILES: KeptFiles = { cover: '', shareCover: '', attachments: [] };

async function isUsableCover(ctx: Ctx, authorId: string, path: string, kept: KeptFiles): Promise<boolean> {
  if (await isLibraryCover(ctx.db, path)) return true;
  const isKept = path === kept.cover || path === kept.shareCover;
  return hasUpload(ctx.db, isKept ? null : ownersOf(ctx, authorId), path);
}

/**
 * Checks that referenced rows exist and belong to the author; staff who write for the author use their own files too.
 * Files of the essay stay valid when its author changes.
 */
async function checkReferences(
  ctx: Ctx,
  authorId: string,
  given: GivenFields,
  kept: KeptFiles = NO_FILES,
): Promise<GivenFields> {
  if (given.categoryId) {
    const found = (await listEnabledCategories(ctx)).some(({ id }) => id === given.categoryId);
    if (!found) throw invalidField('categoryId', '没有这个分类');
  }
  if (given.columnId) {
    const column = await columnRows.find(ctx.db, given.columnId);
    if (column?.authorId !== authorId) throw invalidField('columnId', '没有这个专栏');
  }
  if (given.cover && !(await isUsableCover(ctx, authorId, given.cover, kept)))
    throw invalidField('cover', '请先上传图片，再设为封面');
  if (given.shareCover && !(await isUsableCover(ctx, authorId, given.shareCover, kept)))
    throw invalidField('shareCover', '请先上传图片，再设为分享卡片');
  if (given.attachments !== undefined && given.attachments.length > 0) {
    const files = await listAttachments(ctx.db, given.attachments);
    const owners = ownersOf(ctx, authorId);
    const valid = files.filter(({ id, userId }) => owners.includes(userId) || kept.attachments.includes(id));
    if (valid.length < new Set(given.attachments).size)
      throw invalidField('attachments', '有的附件不存在，请重新上传');
  }
  return {
    ...given,
    ...(given.tags === undefined ? {} : { tags: uniqueTags(given.tags) }),
    ...(given.attachments === undefined ? {} : { attachments: [...new Set(given.attachments)] }),
    ...(given.scheduledAt ? { scheduledAt: new Date(given.scheduledAt).toISOString() } : {}),
  };
}

const withCurrentTags = async (ctx: Ctx, settings: EssaySettings): Promise<EssaySettings> => ({
  ...settings,
  tags: await resolveTagAliases(ctx.db, settings.tags),
});

export const toCardFields = ({ scheduledAt, ...settings }: EssaySettings) => ({
  ...settings,
  // Those of the title before.
  titleBreaks: [],
  scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
});

export const countCharacters = (text: string): number => [...text].length;

/** Stores the rendered version and sets the status to waiting for an audit. */
export async function submitVersion(
  ctx: Ctx,
  essay: EssayRow,
  version: number,
  submission: Submission,
): Promise<void> {
  const { publicText } = submission;
  await queries.insertRenderedTexts(ctx.db, toRenderedTexts(submission, { essayId: essay.id, version }));
  const isRevision = essay.status === ESSAY_STATUS.onShelf;
  await queries.updateEssay(ctx.db, essay.id, {
    ...(isRevision
      ? { revisionStatus: ESSAY_STATUS.waiting }
      : {
          status: ESSAY_STATUS.waiting,
          summary: publicText.summary,
          wordCount: publicText.wordCount,
          readMinutes: publicText.readMinutes,
        }),
    submittedVersion: version,
    submittedAt: ctx.now,
    // The place of the author, not of staff who submit for the author.
    ...(essay.region === '' && ctx.viewer?.id === essay.authorId ? { region: ctx.requester.region } : {}),
  });
  await recordStatusChange(ctx, { ...essay, version }, { to: ESSAY_STATUS.waiting, isRevision });
}

interface SavedVersion {
  id: string;
  version: number;
}

export async function prepareNewEssay(
  ctx: Ctx,
  viewer: Viewer,
  { status, slug, authorId: givenAuthor, ...input }: z.output<typeof calls.createEssay.input>,
): Promise<Prepared<SavedVersion>> {
  const authorId = await getAuthorId(ctx, viewer, givenAuthor);
  if (status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const given = await checkReferences(ctx, authorId, input);
  const { content, ...settings }: EssayFields = { ...EMPTY_FIELDS, ...given };
  const submission =
    status === ESSAY_STATUS.waiting ? await prepareSubmission(ctx, { content, ...settings }) : null;
  const { wordCount, readMinutes } =
    submission?.publicText ?? (await countMarkdownWords(callerOf(ctx), content));
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const id = newId();
      const fields = await withCurrentTags(ctx, settings);
      const card = toCardFields(fields);
      const times = { createdAt: ctx.now, updatedAt: ctx.now, savedAt: ctx.now };
      await queries.insertEssay(ctx.db, {
        id,
        authorId,
        ...card,
        wordCount,
        readMinutes,
        ...times,
      });
      await queries.insertRevision(ctx.db, {
        essayId: id,
        version: 1,
        auto: false,
        title: settings.title,
        characters: countCharacters(content),
        wordCount,
        fields,
        content,
        editorId: editorIdOf(viewer, { authorId }),
        createdAt: ctx.now,
        updatedAt: ctx.now,
      });
      await recordStaffChange(
        ctx,
        viewer,
        { id, authorId, title: settings.title },
        {
          call: 'POST core/essay/',
          summary: '代作者写文章',
          notice: '代你写了',
          before: null,
          after: { title: settings.title, version: 1, wordCount },
        },
      );
      if (slug) await setSlug(ctx, await queries.getEssay(ctx.db, id), slug);
      if (submission !== null) await submitVersion(ctx, await queries.getEssay(ctx.db, id), 1, submission);
      return { id, version: 1 };
    });
}

export const createEssay = prepareThenRun(prepareNewEssay);

/** For other users an unpublished essay does not exist. */
export function requireEditor(viewer: Viewer, essay: EssayRow): void {
  if (canEdit(viewer, essay)) return;
  throw essay.status === ESSAY_STATUS.onShelf
    ? new CallError('FORBIDDEN', { message: '只有作者能修改这篇文章' })
    : essayNotFound();
}

function requireEditable(essay: EssayRow, version: number | null): void {
  if (!isEditable(essay)) throw new CallError('ESSAY_NOT_EDITABLE');
  if (version !== null && essay.version !== version) throw new CallError('STALE_VERSION');
}

/** A published essay cannot leave a column that was sold, because the buyers paid for it. */
async function requireMovable(ctx: Ctx, essay: EssayRow, columnId: string | null): Promise<void> {
  if (essay.columnId === null || essay.columnId === columnId || essay.shelvedVersion === null) return;
  if (await isSold(ctx.db, [essay.columnId])) throw new CallError('COLUMN_SOLD');
}

interface NextVersion {
  call: 'PUT core/essay/' | 'POST core/essay/{id}/revision/restore';
  settings: EssaySettings;
  content: string;
  length: TextLength;
  isAuto: boolean;
}

/** Writes a new version. It replaces the previous one if both are autosaves of the same person within `COALESCE_MS`. */
async function writeVersion(
  ctx: Ctx,
  viewer: Viewer,
  essay: EssayRow,
  before: queries.RevisionBriefRow,
  next: NextVersion,
): Promise<number> {
  await requireMovable(ctx, essay, next.settings.columnId);
  const settings = await withCurrentTags(ctx, next.settings);
  const version = essay.version + 1;
  const row: Omit<RevisionRow, 'name' | 'merged'> = {
    essayId: essay.id,
    version,
    auto: next.isAuto,
    title: settings.title,
    characters: countCharacters(next.content),
    wordCount: next.length.wordCount,
    fields: settings,
    content: next.content,
    editorId: editorIdOf(viewer, essay),
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const isSamePerson = before.editorId === row.editorId;
  const isReferenced = before.version === essay.shelvedVersion || before.version === essay.submittedVersion;
  const isRecent = ctx.now.getTime() - before.createdAt.getTime() < COALESCE_MS;
  // A version with a name is kept as it is.
  const isKept = isReferenced || before.name !== null;
  if (next.isAuto && before.auto && isRecent && isSamePerson && !isKept) {
    await queries.replaceRevision(ctx.db, before.version, { ...row, createdAt: before.createdAt });
  } else {
    await queries.insertRevision(ctx.db, row);
    await recordStaffChange(
      ctx,
      viewer,
      { ...essay, title: settings.title },
      {
        call: next.call,
        summary: '代作者修改文章',
        // One notice for all versions that staff save in a row.
        notice: isSamePerson ? null : '修改了你的文章',
        before: { title: before.title, version: before.version, wordCount: before.wordCount },
        after: { title: settings.title, version, wordCount: next.length.wordCount },
      },
    );
  }
  await queries.updateEssay(ctx.db, essay.id, {
    version,
    savedAt: ctx.now,
    ...(essay.status === ESSAY_STATUS.onShelf
      ? { revisionStatus: ESSAY_STATUS.draft }
      : {
          ...toCardFields(settings),
          wordCount: next.length.wordCount,
          readMinutes: next.length.readMinutes,
          ...(settings.columnId === essay.columnId ? {} : { columnSort: 0 }),
          status: ESSAY_STATUS.draft,
          updatedAt: ctx.now,
        }),
  });
  if (essay.status === ESSAY_STATUS.onShelf)
    await setAllowComment(ctx, { ...essay, version }, settings.allowComment);
  if (essay.status === ESSAY_STATUS.rejected)
    await recordStatusChange(ctx, { ...essay, version }, { to: ESSAY_STATUS.draft, isRevision: false });
  return version;
}

/** Takes effect without an audit, and is copied to the versions that may be shelved later. */
async function setAllowComment(ctx: Ctx, essay: EssayRow, allowComment: boolean): Promise<void> {
  if (essay.allowComment === allowComment) return;
  await queries.updateEssay(ctx.db, essay.id, { allowComment });
  const { shelvedVersion, submittedVersion, version } = essay;
  const versions = [shelvedVersion, submittedVersion, version].filter((each) => each !== null);
  await queries.updateAllowComment(ctx.db, essay.id, versions, allowComment);
  invalidate(ctx, `essay:${essay.id}`);
}

interface ImmediateChanges {
  allowComment?: boolean | undefined;
  slug?: string | null | undefined;
}

/** Changes only what takes effect without an audit: it creates no version and is allowed during an audit. */
function prepareImmediate(
  viewer: Viewer,
  { id, version, allowComment, slug }: ImmediateChanges & SavedVersion,
): Prepared<SavedVersion> {
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, id);
      requireEditor(viewer, essay);
      if (allowComment !== undefined && essay.status !== ESSAY_STATUS.onShelf)
        throw new CallError('ESSAY_NOT_EDITABLE');
      if (essay.version !== version) throw new CallError('STALE_VERSION');
      if (allowComment !== undefined) await setAllowComment(ctx, essay, allowComment);
      if (slug !== undefined) await setSlug(ctx, essay, slug);
      await recordStaffChange(ctx, viewer, essay, {
        call: 'PUT core/essay/',
        summary: '代作者修改文章',
        notice: null,
        before: { title: essay.title, allowComment: essay.allowComment, slug: essay.slug },
        after: {
          title: essay.title,
          allowComment: allowComment ?? essay.allowComment,
          slug: slug === undefined ? essay.slug : slug,
        },
      });
      return { id, version };
    });
}

export async function prepareUpdate(
  ctx: Ctx,
  viewer: Viewer,
  { id, version, status, auto, slug, ...input }: z.output<typeof calls.updateEssay.input>,
): Promise<Prepared<SavedVersion>> {
  const essay = await queries.getEssay(ctx.db, id);
  requireEditor(viewer, essay);
  const { allowComment, ...rest } = input;
  const needsVersion =
    status !== undefined ||
    Object.keys(rest).length > 0 ||
    (allowComment === undefined && slug === undefined) ||
    (allowComment !== undefined && essay.status !== ESSAY_STATUS.onShelf);
  if (!needsVersion) return prepareImmediate(viewer, { id, version, allowComment, slug });
  requireEditable(essay, version);
  if (status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const before = await queries.findRevisionBrief(ctx.db, id, version);
  const given = await checkReferences(ctx, essay.authorId, input, { ...EMPTY_FIELDS, ...before?.fields });
  const content = given.content ?? (await queries.findRevision(ctx.db, id, version))?.content;
  // A concurrent autosave has replaced the revision.
  if (before === null || content === undefined) throw new CallError('STALE_VERSION');
  const { content: _, ...changes } = given;
  const settings: EssaySettings = {
    ...(await dropMissingReferences(ctx, essay.authorId, before.fields)),
    ...changes,
  };
  const submission =
    status === ESSAY_STATUS.waiting ? await prepareSubmission(ctx, { ...settings, content }) : null;
  const length = submission?.publicText ?? (await countMarkdownWords(callerOf(ctx), content));
  return (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const locked = await queries.lockEssay(ctx.db, id);
      // Staff may have given the essay to another author.
      requireEditor(viewer, locked);
      // The column and files were checked for the former author.
      if (locked.authorId !== essay.authorId) throw new CallError('STALE_VERSION');
      requireEditable(locked, version);
      const current = await queries.getRevisionBrief(ctx.db, id, version);
      // Staff may have changed the fields of this version since it was read.
      const isSame = JSON.stringify(current.fields) === JSON.stringify(before.fields);
      if (!isSame && submission !== null) throw new CallError('STALE_VERSION');
      const next = await writeVersion(ctx, viewer, locked, current, {
        call: 'PUT core/essay/',
        settings: isSame
          ? settings
          : { ...(await dropMissingReferences(ctx, essay.authorId, current.fields)), ...changes },
        content,
        length,
        isAuto: auto === FLAG.on,
      });
      if (slug !== undefined && slug !== locked.slug) {
        await setSlug(ctx, await queries.getEssay(ctx.db, id), slug);
        // Apart from the version, because it is public at once and an autosave is not logged.
        await recordStaffChange(ctx, viewer, locked, {
          call: 'PUT core/essay/',
          summary: '代作者修改文章',
          notice: null,
          before: { title: locked.title, slug: locked.slug },
          after: { title: locked.title, slug },
        });
      }
      if (submission !== null) await submitVersion(ctx, await queries.getEssay(ctx.db, id), next, submission);
      return { id, version: next };
    });
}

export async function restoreRevision(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  revision: number,
): Promise<SavedVersion> {
  requireEditor(viewer, await queries.getEssay(ctx.db, id));
  const { content, fields } = await queries.getRevision(ctx.db, id, revision);
  const length = await countMarkdownWords(callerOf(ctx), content);
  return inTransaction(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    requireEditor(viewer, essay);
    requireEditable(essay, null);
    const cleaned = await dropMissingReferences(ctx, essay.authorId, fields);
    // Restoring a text does not change whether comments are allowed.
    const settings =
      essay.status === ESSAY_STATUS.onShelf ? { ...cleaned, allowComment: essay.allowComment } : cleaned;
    const before = await queries.getRevisionBrief(ctx.db, id, essay.version);
    const version = await writeVersion(ctx, viewer, essay, before, {
      call: 'POST core/essay/{id}/revision/restore',
      settings,
      content,
      length,
      isAuto: false,
    });
    return { id, version };
  });
}

/** Resets references of an old version to rows that no longer exist. */
async function dropMissingReferences(
  ctx: Ctx,
  authorId: string,
  fields: EssaySettings,
): Promise<EssaySettings> {
  const cleaned: EssaySettings = { ...EMPTY_FIELDS, ...fields };
  const references = ['categoryId', 'columnId', 'cover', 'shareCover', 'attachments'] as const;
  for (const name of references) {
    try {
      await checkReferences(ctx, authorId, { [name]: cleaned[name] }, cleaned);
    } catch {
      Object.assign(cleaned, { [name]: EMPTY_FIELDS[name] });
    }
  }
  return cleaned;
}
