import type { Ctx, Viewer } from '../../../../ctx.ts';
import { getCurrentUser } from '../../../accounts/users/index.ts';
import { toLines } from '../documents.ts';
import { linkTo, readLink } from '../links.ts';
import { listOwn, type OwnKind, type OwnRecord, ownKinds } from '../queries/own-data.ts';
import { writeZip, type ZipFile } from '../zip/write.ts';

const ROWS = 500;

export const createOwnDataLink = (ctx: Ctx, viewer: Viewer) => linkTo(ctx, 'own-data', viewer.id, viewer);

async function* recordsOf(ctx: Ctx, userId: string, kind: OwnKind): AsyncGenerator<object> {
  let after: string | null = null;
  for (;;) {
    const rows: OwnRecord[] = await listOwn(ctx.db, kind, { userId, after, limit: ROWS });
    for (const { record } of rows) yield record;
    after = rows.at(-1)?.key ?? null;
    if (rows.length < ROWS) return;
  }
}

async function* filesOf(ctx: Ctx, userId: string): AsyncGenerator<ZipFile> {
  const profile = await getCurrentUser(ctx, userId);
  yield {
    name: 'profile.json',
    modified: ctx.now,
    content: Buffer.from(`${JSON.stringify(profile, null, 2)}\n`),
  };
  for (const kind of ownKinds)
    yield { name: `${kind}.json`, modified: ctx.now, content: toLines(recordsOf(ctx, userId, kind)) };
}

/** Made while it is sent: nothing of it is kept. */
export async function openOwnData(ctx: Ctx, link: string): Promise<AsyncIterable<Buffer>> {
  const { viewer } = await readLink(ctx, 'own-data', link);
  return writeZip(filesOf(ctx, viewer.id));
}
