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

interface PrepareOptions {
  note?: (sentence: string) => void;
  /** A line to be read and kept: passwords, each said as soon as it counts. */
  say?: (line: string) => void;
  /** Whether to write demo content, where it is asked for and missing. */
  mayFill?: boolean;
}

/** What an installation needs before its first request; each part is done once, by whichever process is first. */
export async function prepare(ctx: Ctx, options: PrepareOptions = {}): Promise<void> {
  const { note = () => {}, say = () => {}, mayFill = true } = options;
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
  // Before anything else can go wrong: it is never said again.
  if (adminPassword !== null)
    say(`管理员账号：admin，一次性密码：${adminPassword}（只显示这一次，首次登录后须修改）`);
  const demoPassword = config.demo && mayFill ? await fillDemo(ctx, () => note('写入演示内容')) : null;
  if (demoPassword !== null)
    say(`演示用户：linyan、zhoumu、suhe、chenduo、guwei、heqing，密码都是：${demoPassword}`);
  await rankFirstStars(ctx);
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
