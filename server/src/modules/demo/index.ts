import { type Ctx, inTx } from '../../ctx.ts';
import { lockAccess } from '../access/index.ts';
import { releaseCollections } from '../collections/index.ts';
import { releaseComments } from '../comments/index.ts';
import { removeEssaysOf } from '../essays/index.ts';
import { releaseLikes } from '../likes/index.ts';
import { claim } from '../settings/index.ts';
import { releaseShares } from '../shares/index.ts';
import { listOwnFiles, storeImage } from '../uploads/index.ts';
import {
  createPerson,
  hashPassword,
  listDemoUserIds,
  newPassword,
  removeUsers,
  requireSuper,
  updateUser,
} from '../users/index.ts';
import { publishTexts } from './essays.ts';
import { people } from './people.ts';

const CLAIM = 'demo';

/** The demo people, once for an installation; returns the password they share, or null when it was done before. */
export async function fillDemo(ctx: Ctx): Promise<string | null> {
  return inTx(ctx, async (ctx) => {
    if (!(await claim(ctx.db, CLAIM, ctx.now))) return null;
    // Needed once in an installation's life.
    const { faceSvg } = await import('./faces.ts');
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    const writers = new Map<string, { id: string; displayName: string }>();
    for (const { account, ...person } of people) {
      const id = await createPerson(ctx, { ...person, account, passwordHash, demo: true });
      const content = Buffer.from(faceSvg(account));
      const face = await storeImage(ctx, id, { content, isDrawing: true });
      await updateUser(ctx.db, id, { headImg: face.thumbPath });
      writers.set(account, { id, displayName: person.displayName });
    }
    await publishTexts(ctx, writers);
    return password;
  });
}

/** Takes the demo people away with all that is theirs; they do not come back at the next start. */
export async function removeDemo(ctx: Ctx): Promise<number> {
  const { ids, files } = await inTx(ctx, async (ctx) => {
    await lockAccess(ctx.db);
    const ids = await listDemoUserIds(ctx.db);
    const files = await listOwnFiles(ctx.db, ids);
    await removeEssaysOf(ctx, ids);
    await releaseLikes(ctx, ids);
    await releaseCollections(ctx, ids);
    await releaseComments(ctx, ids);
    await releaseShares(ctx, ids);
    await removeUsers(ctx.db, ids);
    await requireSuper(ctx);
    return { ids, files };
  });
  await Promise.all(files.map((path) => ctx.services.files.remove(path)));
  return ids.length;
}
