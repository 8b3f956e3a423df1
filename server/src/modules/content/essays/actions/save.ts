import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/essays.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import type { Length } from '@mozhan/contract/word-count.ts';
import type { z } from 'zod';
import { type Ctx, inTx, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { type Prepared, whole } from '../../../../prepared.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { requirePhone } from '../../../accounts/users/index.ts';
import { countText } from '../../../platform/text/index.ts';
import { hasUpload, listAttachments } from '../../../platform/uploads/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { isLibraryCover } from '../../covers/index.ts';
import { columnRows } from '../queries/columns.ts';
import * as queries from '../queries/essays.ts';
import { isSold } from '../queries/marks.ts';
import { settleTags } from '../queries/tags.ts';
import { isAuthor, isEditable, noEssay } from '../rules/essays.ts';
import type { EssayRow, RevisionRow, Settings } from '../tables.ts';
import { type HandedIn, handIn } from './hand-in.ts';
import { recordChange } from './records.ts';

type Given = Partial<EssayFields>;

const EMPTY: EssayFields = {
  title: '',
  content: '',
  categoryId: null,
  summary: '',
  tags: [],
  cover: '',
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

/** Saves of the editor that follow each other within this time are one version of the history. */
const COALESCE_MS = 10 * 60_000;

/** The first way of writing a tag counts. */
export function distinct(tags: string[]): string[] {
  const seen = new Map(
    tags.map((tag) => [tag.normalize('NFKC').toLowerCase(), tag.normalize('NFC')] as const).reverse(),
  );
  return [...new Set(tags.map((tag) => seen.get(tag.normalize('NFKC').toLowerCase()) ?? tag))];
}

/** What the fields point to must be there, and the author's. */
async function checkGiven(ctx: Ctx, authorId: string, given: Given): Promise<Given> {
  if (given.categoryId) {
    const found = (await listEnabledCategories(ctx)).some(({ id }) => id === given.categoryId);
    if (!found) throw invalid('categoryId', '没有这个分类');
  }
  if (given.columnId) {
    const column = await columnRows.find(ctx.db, given.columnId);
    if (column?.authorId !== authorId) throw invalid('columnId', '没有这个专栏');
  }
  if (
    given.cover &&
    !(await isLibraryCover(ctx.db, given.cover)) &&
    !(await hasUpload(ctx.db, authorId, given.cover))
  )
    throw invalid('cover', '请先上传图片，再设为封面');
  if (given.attachments !== undefined && given.attachments.length > 0) {
    const files = await listAttachments(ctx.db, given.attachments);
    if (files.filter(({ userId }) => userId === authorId).length < new Set(given.attachments).size)
      throw invalid('attachments', '有的附件不存在，请重新上传');
  }
  return {
    ...given,
    ...(given.tags === undefined ? {} : { tags: distinct(given.tags) }),
    ...(given.attachments === undefined ? {} : { attachments: [...new Set(given.attachments)] }),
    ...(given.scheduledAt ? { scheduledAt: new Date(given.scheduledAt).toISOString() } : {}),
  };
}

/** What was renamed or merged since is called as it is called now. */
const withTags = async (ctx: Ctx, settings: Settings): Promise<Settings> => ({
  ...settings,
  tags: await settleTags(ctx.db, settings.tags),
});

/** Until it is on the shelf, its card follows what is written. */
export const cardOf = ({ scheduledAt, ...settings }: Settings) => ({
  ...settings,
  scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
});

export const lengthOf = (text: string): number => [...text].length;

/** Into the audit: the version as it is laid out, in the essay's transaction. */
export async function submit(ctx: Ctx, essay: EssayRow, version: number, handedIn: HandedIn): Promise<void> {
  const { open, locked } = handedIn;
  await queries.insertTexts(
    ctx.db,
    { ...open, essayId: essay.id, version },
    locked === null ? null : { ...locked, essayId: essay.id, version },
  );
  const isRevision = essay.status === ESSAY_STATUS.onShelf;
  await queries.updateEssay(ctx.db, essay.id, {
    ...(isRevision
      ? { revisionStatus: ESSAY_STATUS.waiting }
      : {
          status: ESSAY_STATUS.waiting,
          summary: open.summary,
          wordCount: open.wordCount,
          readMinutes: open.readMinutes,
        }),
    submittedVersion: version,
    submittedAt: ctx.now,
    ...(essay.region === '' ? { region: ctx.asker.region } : {}),
  });
  await recordChange(ctx, { ...essay, version }, { to: ESSAY_STATUS.waiting, isRevision });
}

interface Saved {
  id: string;
  version: number;
}

export async function prepareEssay(
  ctx: Ctx,
  viewer: Viewer,
  { status, ...input }: z.output<typeof calls.createEssay.input>,
): Promise<Prepared<Saved>> {
  if (status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const given = await checkGiven(ctx, viewer.id, input);
  const { content, ...settings }: EssayFields = { ...EMPTY, ...given };
  const handedIn = status === ESSAY_STATUS.waiting ? await handIn(ctx, { content, ...settings }) : null;
  const { wordCount, readMinutes } = handedIn?.open ?? (await countText(callerOf(ctx), content));
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const id = newId();
      const fields = await withTags(ctx, settings);
      const card = cardOf(fields);
      const times = { createdAt: ctx.now, updatedAt: ctx.now, savedAt: ctx.now };
      await queries.insertEssay(ctx.db, {
        id,
        authorId: viewer.id,
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
        characters: lengthOf(content),
        wordCount,
        fields,
        content,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      });
      if (handedIn !== null) await submit(ctx, await queries.getEssay(ctx.db, id), 1, handedIn);
      return { id, version: 1 };
    });
}

export const createEssay = whole(prepareEssay);

/** Others learn no more of it than a visitor would. */
export function requireAuthor(viewer: Viewer, essay: EssayRow): void {
  if (isAuthor(viewer, essay)) return;
  throw essay.status === ESSAY_STATUS.onShelf
    ? new CallError('FORBIDDEN', { message: '只有作者能修改这篇文章' })
    : noEssay();
}

function requireEditable(essay: EssayRow, version: number | null): void {
  if (!isEditable(essay)) throw new CallError('ESSAY_NOT_EDITABLE');
  if (version !== null && essay.version !== version) throw new CallError('STALE_VERSION');
}

/** Who bought a column bought what it had on the shelf. */
async function requireToStay(ctx: Ctx, essay: EssayRow, columnId: string | null): Promise<void> {
  if (essay.columnId === null || essay.columnId === columnId || essay.shelvedVersion === null) return;
  if (await isSold(ctx.db, [essay.columnId])) throw new CallError('COLUMN_SOLD');
}

/** Written as a new version: in place of the one before, when both were saved by the editor itself a moment apart. */
async function writeVersion(
  ctx: Ctx,
  essay: EssayRow,
  before: queries.RevisionBriefRow,
  next: { settings: Settings; content: string; length: Length; isAuto: boolean },
): Promise<number> {
  await requireToStay(ctx, essay, next.settings.columnId);
  const settings = await withTags(ctx, next.settings);
  const version = essay.version + 1;
  const row: RevisionRow = {
    essayId: essay.id,
    version,
    auto: next.isAuto,
    title: settings.title,
    characters: lengthOf(next.content),
    wordCount: next.length.wordCount,
    fields: settings,
    content: next.content,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const isKept = before.version === essay.shelvedVersion || before.version === essay.submittedVersion;
  const isClose = ctx.now.getTime() - before.createdAt.getTime() < COALESCE_MS;
  if (next.isAuto && before.auto && isClose && !isKept) {
    await queries.replaceRevision(ctx.db, before.version, { ...row, createdAt: before.createdAt });
  } else {
    await queries.insertRevision(ctx.db, row);
  }
  await queries.updateEssay(ctx.db, essay.id, {
    version,
    savedAt: ctx.now,
    ...(essay.status === ESSAY_STATUS.onShelf
      ? { revisionStatus: ESSAY_STATUS.draft }
      : {
          ...cardOf(settings),
          wordCount: next.length.wordCount,
          readMinutes: next.length.readMinutes,
          ...(settings.columnId === essay.columnId ? {} : { columnSort: 0 }),
          status: ESSAY_STATUS.draft,
          updatedAt: ctx.now,
        }),
  });
  if (essay.status === ESSAY_STATUS.onShelf)
    await openComments(ctx, { ...essay, version }, settings.allowComment);
  if (essay.status === ESSAY_STATUS.rejected)
    await recordChange(ctx, { ...essay, version }, { to: ESSAY_STATUS.draft, isRevision: false });
  return version;
}

/** Who may say something is nobody's to audit: readers find it so at once, and whatever is shelved later keeps to it. */
async function openComments(ctx: Ctx, essay: EssayRow, allowComment: boolean): Promise<void> {
  if (essay.allowComment === allowComment) return;
  await queries.updateEssay(ctx.db, essay.id, { allowComment });
  const { shelvedVersion, submittedVersion, version } = essay;
  const versions = [shelvedVersion, submittedVersion, version].filter((each) => each !== null);
  await queries.updateAllowComment(ctx.db, essay.id, versions, allowComment);
  touch(ctx, `essay:${essay.id}`);
}

/** Of an essay on the shelf, also while a revision waits for its audit: no version comes of it. */
function prepareComments(
  viewer: Viewer,
  { id, version, allowComment }: { id: string; version: number; allowComment: boolean },
): Prepared<Saved> {
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const essay = await queries.lockEssay(ctx.db, id);
      requireAuthor(viewer, essay);
      if (essay.status !== ESSAY_STATUS.onShelf) throw new CallError('ESSAY_NOT_EDITABLE');
      if (essay.version !== version) throw new CallError('STALE_VERSION');
      await openComments(ctx, essay, allowComment);
      return { id, version };
    });
}

export async function prepareUpdate(
  ctx: Ctx,
  viewer: Viewer,
  { id, version, status, auto, ...input }: z.output<typeof calls.updateEssay.input>,
): Promise<Prepared<Saved>> {
  const essay = await queries.getEssay(ctx.db, id);
  requireAuthor(viewer, essay);
  const { allowComment, ...rest } = input;
  const isOnlyComments = status === undefined && Object.keys(rest).length === 0;
  if (essay.status === ESSAY_STATUS.onShelf && isOnlyComments && allowComment !== undefined)
    return prepareComments(viewer, { id, version, allowComment });
  requireEditable(essay, version);
  if (status === ESSAY_STATUS.waiting) await requirePhone(ctx, viewer);
  const given = await checkGiven(ctx, viewer.id, input);
  const before = await queries.findRevisionBrief(ctx.db, id, version);
  const content = given.content ?? (await queries.findRevision(ctx.db, id, version))?.content;
  // It was there a moment ago: somewhere else it has been written over since.
  if (before === null || content === undefined) throw new CallError('STALE_VERSION');
  const { content: _, ...changes } = given;
  const settings: Settings = { ...(await keepWhatIsThere(ctx, viewer.id, before.fields)), ...changes };
  const handedIn = status === ESSAY_STATUS.waiting ? await handIn(ctx, { ...settings, content }) : null;
  const length = handedIn?.open ?? (await countText(callerOf(ctx), content));
  return (ctx) =>
    inTx(ctx, async (ctx) => {
      const locked = await queries.lockEssay(ctx.db, id);
      requireEditable(locked, version);
      const next = await writeVersion(ctx, locked, before, {
        settings,
        content,
        length,
        isAuto: auto === FLAG.on,
      });
      if (handedIn !== null) await submit(ctx, await queries.getEssay(ctx.db, id), next, handedIn);
      return { id, version: next };
    });
}

/** What was written then is written once more. */
export async function restoreRevision(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
  revision: number,
): Promise<Saved> {
  requireAuthor(viewer, await queries.getEssay(ctx.db, id));
  const { content, fields } = await queries.getRevision(ctx.db, id, revision);
  const length = await countText(callerOf(ctx), content);
  return inTx(ctx, async (ctx) => {
    const essay = await queries.lockEssay(ctx.db, id);
    requireAuthor(viewer, essay);
    requireEditable(essay, null);
    const kept = await keepWhatIsThere(ctx, viewer.id, fields);
    // Who restores a text does not open or close what readers say about it.
    const settings =
      essay.status === ESSAY_STATUS.onShelf ? { ...kept, allowComment: essay.allowComment } : kept;
    const before = await queries.getRevisionBrief(ctx.db, id, essay.version);
    const version = await writeVersion(ctx, essay, before, { settings, content, length, isAuto: false });
    return { id, version };
  });
}

/** What an old version points to may be gone since. */
async function keepWhatIsThere(ctx: Ctx, authorId: string, fields: Settings): Promise<Settings> {
  const kept: Settings = { ...EMPTY, ...fields };
  const references = ['categoryId', 'columnId', 'cover', 'attachments'] as const;
  for (const name of references) {
    try {
      await checkGiven(ctx, authorId, { [name]: kept[name] });
    } catch {
      Object.assign(kept, { [name]: EMPTY[name] });
    }
  }
  return kept;
}
