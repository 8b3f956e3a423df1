import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Ctx } from './ctx.ts';
import { inTx } from './ctx.ts';
import { grantRole, SUPER, seedAccess } from './modules/accounts/access/index.ts';
import { createPerson, hashPassword, newPassword } from './modules/accounts/users/index.ts';
import { fillDemo } from './modules/admin/demo/index.ts';
import { modules } from './modules/all.ts';
import { seedCategories } from './modules/content/categories/index.ts';
import { rankFirstStars } from './modules/content/directory/index.ts';
import { seedInfoPages } from './modules/content/site/index.ts';
import { seedDicts } from './modules/platform/dicts/index.ts';
import { claim } from './modules/platform/settings/index.ts';

export interface FirstStart {
  /** The administrator's one-time password, when it was made just now. */
  adminPassword: string | null;
  demoPassword: string | null;
}

/** What an installation needs before its first request; each part is done once, by whichever process is first. */
export async function prepare(ctx: Ctx, note: (sentence: string) => void = () => {}): Promise<FirstStart> {
  const { config } = ctx.services;
  const adminPassword = await inTx(ctx, async (ctx) => {
    const isFirst = await claim(ctx.db, 'administrator', ctx.now);
    await seedAccess(
      ctx.db,
      ctx.now,
      modules.flatMap(({ menu = [] }) => menu),
    );
    await seedCategories(ctx);
    await seedDicts(ctx);
    await seedInfoPages(ctx);
    return isFirst ? createAdministrator(ctx, config.adminPassword) : null;
  });
  const demoPassword = config.demo ? await fillDemo(ctx, () => note('写入演示内容')) : null;
  await rankFirstStars(ctx);
  return { adminPassword, demoPassword };
}

/** Returns the password when it was made here; one that was given needs no change. */
async function createAdministrator(ctx: Ctx, given: string | undefined): Promise<string | null> {
  const password = given ?? newPassword();
  const id = await createPerson(ctx, {
    account: 'admin',
    displayName: '管理员',
    curIdentity: IDENTITY.writer,
    passwordHash: await hashPassword(ctx, password),
    mustChangePassword: given === undefined,
  });
  await grantRole(ctx, id, SUPER);
  return given === undefined ? password : null;
}
