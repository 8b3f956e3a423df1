import { invalidField } from '@mozhan/contract/errors.ts';
import { MAX_IMAGE_BYTES, type UploadEntry } from '@mozhan/contract/uploads.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import {
  FetchError,
  type FetchOptions,
  fetchFile,
  isUnknownName,
  isUnusualPort,
  UNKNOWN_NAME_MESSAGE,
} from '../../../../outgoing/fetch-file.ts';
import { callerOf, createFairQueue } from '../../../../threads/fair-queue.ts';
import { requireSpace } from './storage.ts';
import { storeImage, toUploadEntry } from './upload.ts';

/** With the time for processing the picture it is less than the timeout of a request. */
const FETCH_TIMEOUT_MS = 12_000;

/** One picture of a user at a time, so that a slow host delays only the user who named it. */
const enqueue = createFairQueue({
  concurrency: 6,
  maxWaiting: 60,
  maxWaitingPerCaller: 6,
  busyMessage: '正在取的图片太多，请稍后再试',
});

/** Fetches a picture with the guards of imports, and stores it like an upload of this user. */
export async function fetchRemotePicture(
  ctx: Ctx,
  viewer: Viewer,
  url: string,
  options: Pick<FetchOptions, 'isPrivate' | 'refusesPort'> & { timeoutMs?: number } = {},
): Promise<UploadEntry> {
  await requireSpace(ctx, viewer.id, { kind: 'image' });
  const { fetchAllowPrivate: allowPrivate } = ctx.services.config;
  const content = await enqueue(callerOf(ctx), () =>
    fetchFile(url, {
      maxBytes: MAX_IMAGE_BYTES,
      timeoutMs: FETCH_TIMEOUT_MS,
      allowPrivate,
      ...(allowPrivate ? {} : { refusesPort: isUnusualPort }),
      ...options,
    }),
  ).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error;
    throw invalidField('url', isUnknownName(error) ? UNKNOWN_NAME_MESSAGE : error.message);
  });
  return toUploadEntry(ctx, await storeImage(ctx, viewer.id, { content, isGenerated: false }));
}
