import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_IMAGE_BYTES } from '@mozhan/contract/uploads.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { FetchError, fetchFile, fetchStream } from '../../../../outgoing/fetch-file.ts';
import { storeAttachment, storeImage } from '../../../platform/uploads/index.ts';
import { decodePath, fileNameOf } from '../formats/paths.ts';
import * as queries from '../queries/pictures.ts';
import { insertItem, summarise, transferRows } from '../queries/runs.ts';
import { findUser } from '../queries/targets.ts';
import type { PictureRow } from '../tables.ts';
import { applyPictures } from './apply-pictures.ts';
import { toImageJob } from './image-jobs.ts';
import { describeFileError, MAX_ATTACHMENT_BYTES, removeStoredFiles } from './import-files.ts';
import { toViewer } from './import-state.ts';
import { queuePictures, remoteItemKey, toFetchUrl } from './remote-pictures.ts';

const MAX_ACTIVE = 6;
const MAX_PER_HOST = 2;
/** Enough to find pictures of several hosts. */
const CANDIDATES = 200;
const FETCH_TIMEOUT_MS = 30_000;
/** Enough for 50 MB at 4 Mbit/s. */
const ATTACHMENT_TIMEOUT_MS = 120_000;
/** Longer than fetching and waiting for the pictures that are stored before. */
const LEASE_MS = 10 * 60_000;
/** Keeps the job short: other long jobs wait for it, and so does a process that shuts down. */
const MAX_RUN_MS = 20_000;
const APPLY_BATCH = 100;
/** Delays after the first and second attempt. */
const RETRY_DELAYS_MS = [30_000, 5 * 60_000];

/** Claims pictures within the limits, which hold for all processes together. */
const claimPictures = (ctx: Ctx): Promise<PictureRow[]> =>
  inTransaction(ctx, async (ctx) => {
    const now = ctx.services.clock();
    await queries.lockClaims(ctx.db);
    const active = await queries.countLeases(ctx.db, now);
    let free = MAX_ACTIVE - [...active.values()].reduce((sum, count) => sum + count, 0);
    const chosen: string[] = [];
    const fullHosts = [...active].filter(([, count]) => count >= MAX_PER_HOST).map(([host]) => host);
    if (free > 0)
      for (const { id, host } of await queries.listDuePictures(ctx.db, now, CANDIDATES, fullHosts)) {
        const count = active.get(host) ?? 0;
        if (count >= MAX_PER_HOST) continue;
        active.set(host, count + 1);
        chosen.push(id);
        free -= 1;
        if (free === 0) break;
      }
    return queries.leasePictures(ctx.db, chosen, new Date(now.getTime() + LEASE_MS));
  });

interface StoredFile {
  path: string;
  uploads: { id: string; ownerId: string }[];
}

type Result = StoredFile | { error: string; isTemporary: boolean };

/** Pictures are stored one after the other, so that they do not fill the queue of the users' uploads. */
function createStore(ctx: Ctx) {
  let last: Promise<unknown> = Promise.resolve();
  return (ownerId: string, content: Buffer) => {
    const { job, timeoutMs } = toImageJob(content);
    const stored = last.then(() =>
      storeImage({ ...ctx, now: ctx.services.clock() }, ownerId, job, { timeoutMs, ignoresQuota: true }),
    );
    last = stored.catch(() => {});
    return stored;
  };
}
type Store = ReturnType<typeof createStore>;

/** Files are named by their content, so the path is the same for all owners. */
async function storeForAll(
  ownerIds: Iterable<string>,
  store: (ownerId: string) => Promise<{ id: string; path: string }>,
): Promise<StoredFile> {
  const uploads: StoredFile['uploads'] = [];
  let path = '';
  for (const ownerId of ownerIds) {
    const upload = await store(ownerId);
    uploads.push({ id: upload.id, ownerId });
    ({ path } = upload);
  }
  return { path, uploads };
}

async function fetchPicture(
  ctx: Ctx,
  url: string,
  ownerIds: Iterable<string>,
  store: Store,
): Promise<StoredFile> {
  const content = await fetchFile(url, {
    maxBytes: MAX_IMAGE_BYTES,
    timeoutMs: FETCH_TIMEOUT_MS,
    allowPrivate: ctx.services.config.webhookAllowPrivate,
  });
  return storeForAll(ownerIds, (ownerId) => store(ownerId, content));
}

/** The same limits and types hold as for uploads. */
async function fetchAttachment(ctx: Ctx, url: string, ownerIds: Iterable<string>): Promise<StoredFile> {
  const { files, config } = ctx.services;
  const options = {
    maxBytes: MAX_ATTACHMENT_BYTES,
    timeoutMs: ATTACHMENT_TIMEOUT_MS,
    allowPrivate: config.webhookAllowPrivate,
  };
  const name = fileNameOf(decodePath(new URL(url).pathname));
  const file = await fetchStream(url, options, (body) => files.receive(name, body));
  try {
    return await storeForAll(ownerIds, async (ownerId) => {
      const user = await findUser(ctx.db, ownerId);
      if (user === null) throw new CallError('INVALID', { message: '作者已不在' });
      return storeAttachment({ ...ctx, file, now: ctx.services.clock() }, toViewer(user, ''), {
        ignoresQuota: true,
      });
    });
  } finally {
    await files.discard(file);
  }
}

async function fetchRemote(ctx: Ctx, picture: PictureRow, store: Store): Promise<Result> {
  const url = toFetchUrl(picture.url);
  if (url === null) return { error: '地址不正确', isTemporary: false };
  const transfer = await transferRows.find(ctx.db, picture.transferId);
  const owners = await queries.listOwners(ctx.db, picture.id);
  const ownerIds = new Set(owners.flatMap((id) => id ?? transfer?.userId ?? []));
  if (ownerIds.size === 0) return { error: '用到它的文章已不在', isTemporary: false };
  try {
    return picture.kind === 'attachment'
      ? await fetchAttachment(ctx, url, ownerIds)
      : await fetchPicture(ctx, url, ownerIds, store);
  } catch (error) {
    if (error instanceof FetchError) return { error: error.message, isTemporary: error.isTemporary };
    if (error instanceof CallError)
      return { error: describeFileError(error), isTemporary: error.status >= 500 };
    throw error;
  }
}

/** Returns false if the import was undone, or another process has the picture now. */
const saveResult = (ctx: Ctx, picture: PictureRow, result: Result): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const { id, transferId, attempts, url } = picture;
    if ((await queries.lockEndedTransfer(ctx.db, transferId)) === null) return false;
    if ('path' in result) {
      const { path, uploads } = result;
      if (!(await queries.endLease(ctx.db, picture, { status: 'done', path, error: '' }))) return false;
      for (const upload of uploads)
        await insertItem(ctx.db, {
          transferId,
          key: remoteItemKey(upload.ownerId, url),
          seq: newId(),
          kind: 'file',
          outcome: 'created',
          title: url.slice(0, 200),
          note: '',
          targetId: upload.id,
          detail: { path },
        });
      await queries.addToPictureCounts(ctx.db, transferId, { done: 1 });
      return true;
    }
    const delay = result.isTemporary ? RETRY_DELAYS_MS[attempts - 1] : undefined;
    const { error } = result;
    if (delay !== undefined) {
      const nextAt = new Date(ctx.services.clock().getTime() + delay);
      await queries.endLease(ctx.db, { id, attempts }, { error, nextAt });
      return false;
    }
    if (!(await queries.endLease(ctx.db, picture, { status: 'failed', error }))) return false;
    await queries.addToPictureCounts(ctx.db, transferId, { failed: 1 });
    return true;
  });

async function processPicture(ctx: Ctx, picture: PictureRow, store: Store): Promise<void> {
  try {
    const result = await fetchRemote(ctx, picture, store);
    if (!(await saveResult(ctx, picture, result))) {
      // The import was undone meanwhile.
      if ('uploads' in result)
        await removeStoredFiles(
          ctx,
          result.uploads.map(({ id }) => id),
        );
      return;
    }
    for (const target of await queries.listReadyTargets(ctx.db, {
      pictureId: picture.id,
      limit: APPLY_BATCH,
    }))
      await applyPictures(ctx, target);
  } catch (error) {
    // Its lease ends later, and the text is changed at the start of the next run.
    ctx.services.log.error({ err: error, url: picture.url }, 'remote picture');
  }
}

/** Changes texts whose pictures were tried by a process that died before it changed them. */
async function applyLeftOver(ctx: Ctx): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  for (;;) {
    const targets = await queries.listReadyTargets(ctx.db, { limit: APPLY_BATCH });
    if (targets.length === 0) return;
    for (const target of targets) {
      await applyPictures(ctx, target);
      if (performance.now() > end) return;
    }
  }
}

/** Fetches due pictures of all imports for a while; the rest is another job. */
export async function fetchRemotePictures(ctx: Ctx): Promise<void> {
  await applyLeftOver(ctx);
  const end = performance.now() + MAX_RUN_MS;
  const store = createStore(ctx);
  const active = new Set<Promise<void>>();
  const transferIds = new Set<string>();
  for (;;) {
    const claimed = performance.now() < end && active.size < MAX_ACTIVE ? await claimPictures(ctx) : [];
    for (const picture of claimed) {
      transferIds.add(picture.transferId);
      const work = processPicture(ctx, picture, store).finally(() => active.delete(work));
      active.add(work);
    }
    // The next claim skips hosts that are busy now, and finds pictures of others.
    if (claimed.length > 0) continue;
    if (active.size === 0) break;
    await Promise.race(active);
  }
  for (const id of transferIds)
    await transferRows.update(ctx.db, id, { report: await summarise(ctx.db, id) });
  await resumePictures(ctx);
}

/** Runs every minute, for later attempts and after a process was killed. */
export async function resumePictures(ctx: Ctx): Promise<void> {
  const due = await queries.listDuePictures(ctx.db, ctx.services.clock(), 1);
  const ready = due.length > 0 ? due : await queries.listReadyTargets(ctx.db, { limit: 1 });
  if (ready.length > 0) await queuePictures(ctx);
}
