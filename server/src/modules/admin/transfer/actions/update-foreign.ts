import { attachmentLink } from '@mozhan/contract/attachment-link.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { type EssayFields, MAX_ATTACHMENTS } from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import type { Prepared } from '../../../../prepared.ts';
import { prepareImportedContent, withdrawImported } from '../../../content/essays/index.ts';
import type { EssayRow } from '../../../content/essays/tables.ts';
import { prepareImportedPage } from '../../../content/site/index.ts';
import type { ImportedEssay, ImportedPage } from '../formats/types.ts';
import { replacePictures } from '../picture-text.ts';
import { listFetchedFiles, listTargetsByKey } from '../queries/pictures.ts';
import type { FoundSource } from '../queries/sources.ts';
import { findEssay, findUser } from '../queries/targets.ts';
import type { Restore } from '../tables.ts';
import type { Sources } from './foreign-sources.ts';
import { essayKey, type IncomingEssay, importFields, isExternalUrl } from './import-essay.ts';
import { clampToPast, describeError, type ImportState, importItem, toViewer } from './import-state.ts';
import { recordRemotePictures, remoteItemKey } from './remote-pictures.ts';
import type { NewItem } from './run.ts';

const EDITED = '已存在；原文有改动，但本站之后也改过，保留本站的';
const WITHDRAWN = '原文不再公开，已下架';

const toDate = (given: Date | null, fallback: Date, now: Date): Date =>
  given === null || Number.isNaN(given.getTime()) ? fallback : clampToPast(given, now);

interface EarlierFiles {
  /** Addresses on other hosts, mapped to those on this site. */
  done: Map<string, string>;
  attachmentIds: string[];
}

/** Files that earlier imports fetched for the essay or page; the old site may be gone by now. */
async function findEarlierFiles(
  ctx: Ctx,
  target: { essayId: string | null; pageId: string | null },
  authorId: string | null,
  urls: { pictures: readonly string[]; attachments: readonly string[] },
): Promise<EarlierFiles> {
  const files = await listFetchedFiles(ctx.db, target);
  const wanted = new Set([...urls.pictures, ...urls.attachments]);
  const used = files.filter(({ url }) => wanted.has(url));
  const keyOf = (url: string) => remoteItemKey(authorId ?? '', url);
  const ids = await listTargetsByKey(
    ctx.db,
    [...new Set(used.map(({ transferId }) => transferId))],
    used.flatMap(({ kind, url }) => (kind === 'attachment' ? [keyOf(url)] : [])),
  );
  const done = new Map<string, string>();
  const attachmentIds = new Set<string>();
  for (const { kind, url, path } of used) {
    const id = ids.get(keyOf(url));
    if (kind === 'picture' && path !== null) done.set(url, path);
    if (kind === 'attachment' && id !== undefined) {
      done.set(url, attachmentLink(id));
      attachmentIds.add(id);
    }
  }
  return { done, attachmentIds: [...attachmentIds] };
}

const withoutFailures = (done: Map<string, string>) => ({ done, failed: new Set<string>() });

/** Nothing is more public here than its original. */
function mayStayPublic({ status, draft }: IncomingEssay, essay: EssayRow): boolean {
  const isPublic = status === ESSAY_STATUS.onShelf || status === ESSAY_STATUS.approved;
  const isLocked = (each: Pick<EssayFields, 'price' | 'memberFree'>) => each.price > 0 || each.memberFree;
  return isPublic && (!isLocked(draft.fields) || isLocked(essay));
}

interface EssayUpdate {
  existing: FoundSource;
  given: ImportedEssay;
  incoming: IncomingEssay;
}

async function prepareEssayUpdate(
  state: ImportState,
  ctx: Ctx,
  { existing, given, incoming }: EssayUpdate,
  essay: EssayRow,
  author: Viewer,
  sources: Sources,
): Promise<Prepared<Partial<NewItem>>> {
  const { version } = existing;
  const notes = [...incoming.notes];
  const fields = await importFields(state, author, incoming.draft, notes);
  const remote = incoming.remote ?? { pictures: [], attachments: [] };
  const target = { essayId: essay.id, pageId: null };
  const earlier = await findEarlierFiles(ctx, target, author.id, remote);
  const attachments = [...new Set([...fields.attachments, ...earlier.attachmentIds])].slice(
    0,
    MAX_ATTACHMENTS,
  );
  const isCoverRemote = isExternalUrl(incoming.draft.cover);
  const replace = await prepareImportedContent(ctx, {
    essayId: essay.id,
    version,
    updatedAt: toDate(incoming.updatedAt, essay.updatedAt, ctx.now),
    change: (before) => ({
      title: fields.title === '' ? before.title : fields.title,
      content: replacePictures(fields.content, withoutFailures(earlier.done)),
      summary: fields.summary,
      tags: fields.tags,
      // A cover on another host is fetched later, if there is none yet.
      cover: isCoverRemote ? before.cover : fields.cover,
      attachments,
    }),
  });
  return async (ctx) => {
    const before = await replace(ctx);
    if (before === null) return { outcome: 'skipped', note: EDITED };
    const withdrawn = mayStayPublic(incoming, essay) ? null : await withdrawImported(ctx, essay.id);
    if (withdrawn !== null) notes.push(WITHDRAWN);
    const { transferId, contentHash } = existing;
    const updatedAt = essay.updatedAt.toISOString();
    const restore: Restore = { transferId, contentHash, essay: { ...before, updatedAt, withdrawn } };
    await sources.record(ctx, given, { essayId: essay.id, version });
    if (incoming.remote !== undefined)
      await recordRemotePictures(ctx, {
        transferId: state.run.row.id,
        essayId: essay.id,
        urls: remote.pictures.filter((url) => !earlier.done.has(url)),
        attachments: remote.attachments
          .filter((url) => !earlier.done.has(url))
          .slice(0, MAX_ATTACHMENTS - attachments.length),
        cover: isCoverRemote && before.cover === '' ? incoming.draft.cover : '',
      });
    return { outcome: 'updated', note: notes.join('；'), detail: { version, restore } };
  };
}

/** An invalid text leaves everything as it is. */
async function prepareOrRefuse(
  prepare: () => Promise<Prepared<Partial<NewItem>>>,
): Promise<Prepared<Partial<NewItem>>> {
  try {
    return await prepare();
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    const note = `已存在；原文有改动，没有更新：${describeError(error)}`;
    return () => Promise.resolve({ outcome: 'skipped', note });
  }
}

/** Updates an essay whose original was changed since an earlier import, unless it was edited here. */
export async function updateForeignEssay(
  state: ImportState,
  sources: Sources,
  update: EssayUpdate,
): Promise<void> {
  const { existing, given } = update;
  const targetId = existing.essayId;
  const item = { key: essayKey(given.key), kind: 'essay' as const, title: given.title || given.key };
  await importItem(state, item, async (ctx) => {
    const essay = await findEssay(ctx.db, targetId ?? '');
    const user = essay === null ? null : await findUser(ctx.db, essay.authorId);
    const isUnchanged = essay !== null && user !== null && essay.version === existing.version;
    const prepared = isUnchanged
      ? await prepareOrRefuse(() =>
          prepareEssayUpdate(state, ctx, update, essay, toViewer(user, ''), sources),
        )
      : () => Promise.resolve({ outcome: 'skipped' as const, note: EDITED });
    await inTransaction(ctx, async (ctx) => {
      const result = await prepared(ctx);
      await state.run.recordItem(ctx, { ...item, outcome: 'skipped', targetId, ...result });
    });
  });
}

interface PageUpdate {
  existing: FoundSource & { pageId: string };
  given: ImportedPage;
  item: Pick<NewItem, 'key' | 'kind' | 'title'>;
  content: string;
  isPublished: boolean;
  notes: string[];
}

/** Updates a page whose original was changed since an earlier import, unless it was edited here. */
export async function updateForeignPage(
  state: ImportState,
  sources: Sources,
  ctx: Ctx,
  { existing, given, item, content, isPublished, notes }: PageUpdate,
): Promise<void> {
  const { run } = state;
  const { pageId, transferId, contentHash } = existing;
  const { fetchPictures = false } = run.row.options;
  const urls = { pictures: fetchPictures ? given.remotePictures : [], attachments: [] };
  const earlier = await findEarlierFiles(ctx, { essayId: null, pageId }, null, urls);
  const prepared = await prepareOrRefuse(async () => {
    const replace = await prepareImportedPage(ctx, pageId, (before) => ({
      ...before,
      title: given.title,
      content: replacePictures(content, withoutFailures(earlier.done)),
      published: before.published && isPublished,
      updatedAt: toDate(given.updatedAt, before.updatedAt, ctx.now),
    }));
    return async (ctx) => {
      const before = await replace(ctx);
      if (before === null) return { outcome: 'skipped', note: EDITED };
      const page = {
        ...before,
        publishedAt: before.publishedAt?.toISOString() ?? null,
        updatedAt: before.updatedAt.toISOString(),
      };
      await sources.record(ctx, given, { pageId });
      await recordRemotePictures(ctx, {
        transferId: run.row.id,
        pageId,
        urls: urls.pictures.filter((url) => !earlier.done.has(url)),
        attachments: [],
        cover: '',
      });
      const restore: Restore = { transferId, contentHash, page };
      return { outcome: 'updated', note: notes.join('；'), detail: { restore } };
    };
  });
  await inTransaction(ctx, async (ctx) => {
    const result = await prepared(ctx);
    await run.recordItem(ctx, { ...item, outcome: 'skipped', targetId: pageId, ...result });
  });
}
