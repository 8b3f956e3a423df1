import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_IMAGE_BYTES } from '@mozhan/contract/uploads.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { storeImage, uploadAttachment } from '../../../platform/uploads/index.ts';
import { keyOf } from './run.ts';
import { sentenceOf, type World } from './world.ts';

/** Nobody sits before an import: a large picture on a busy machine is waited for. */
const PICTURE_TIMEOUT_MS = 60_000;
const LARGEST_ATTACHMENT = 50 * 1024 * 1024;

interface Kept {
  id: string;
  path: string;
}

/** A file of the archive as somebody's upload: once for each of them. Null: it is not there, or no such file. */
async function bring(
  world: World,
  called: string,
  name: string,
  store: (ctx: Ctx) => Promise<Kept>,
): Promise<Kept | null> {
  const key = keyOf(called);
  const known = world.files.get(key);
  if (known !== undefined) return known;
  if (!world.archive.has(name)) return null;
  const item = { key, kind: 'file' as const, title: name };
  const { run } = world;
  let kept: Kept | null = null;
  try {
    kept = await store(run.ctx());
    await run.note(run.ctx(), {
      ...item,
      outcome: 'created',
      targetId: kept.id,
      detail: { path: kept.path },
    });
  } catch (error) {
    // What the server is too busy for is no fault of the file.
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    await run.note(run.ctx(), { ...item, outcome: 'skipped', note: sentenceOf(error) });
  }
  world.files.set(key, kept);
  return kept;
}

/** Unpacked and encoded anew, like any upload. */
export const bringPicture = (world: World, owner: Viewer, name: string): Promise<Kept | null> =>
  bring(world, `picture:${owner.id}:${name}`, name, async (ctx) => {
    if (world.archive.bytesOf(name) > MAX_IMAGE_BYTES)
      throw new CallError('TOO_LARGE', { message: '图片太大，最大 10 MB' });
    const content = await world.archive.bytes(name);
    return storeImage(ctx, owner.id, { content, isDrawing: false }, PICTURE_TIMEOUT_MS);
  });

export const bringAttachment = (world: World, owner: Viewer, name: string): Promise<Kept | null> =>
  bring(world, `attachment:${owner.id}:${name}`, name, async (ctx) => {
    if (world.archive.bytesOf(name) > LARGEST_ATTACHMENT)
      throw new CallError('TOO_LARGE', { message: '附件太大，最大 50 MB' });
    const { files } = ctx.services;
    const file = await files.receive(name.replace(/^.*\//, ''), world.archive.stream(name));
    try {
      return { ...(await uploadAttachment({ ...ctx, file }, owner)), path: '' };
    } finally {
      await files.discard(file);
    }
  });
