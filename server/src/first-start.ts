import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Ctx } from './ctx.ts';
import { inTransaction } from './ctx.ts';
import { grantRole, SUPER_ROLE, seedAccess } from './modules/accounts/access/index.ts';
import { createUser, hashPassword, newPassword } from './modules/accounts/users/index.ts';
import { createDemo } from './modules/admin/demo/index.ts';
import { modules } from './modules/all.ts';
import { seedCategories } from './modules/content/categories/index.ts';
import { rankStarsIfNeverRanked } from './modules/content/directory/index.ts';
import { seedInfoPages } from './modules/content/site/index.ts';
import { seedDicts } from './modules/platform/dicts/index.ts';
import { claimOnce } from './modules/platform/settings/index.ts';

interface PrepareOptions {
  note?: (message: string) => void;
  /** Prints a password that the operator must keep, as soon as it is valid. */
  printLine?: (line: string) => void;
  /** Whether to write demo content if the configuration enables it and it is missing. */
  mayWriteDemo?: boolean;
}

/** Creates the data that the first request needs. Each part is created once, also when several processes start. */
export async function seedInstallation(ctx: Ctx, options: PrepareOptions = {}): Promise<void> {
  const { note = () => {}, printLine = () => {}, mayWriteDemo = true } = options;
  const { config } = ctx.services;
  const adminPassword = await inTransaction(ctx, async (ctx) => {
    const isFirst = await claimOnce(ctx.db, 'administrator', ctx.now);
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
  // Before anything else can fail, because the password is printed only once.
  if (adminPassword !== null)
    printLine(`管理员账号：admin，一次性密码：${adminPassword}（只显示这一次，首次登录后须修改）`);
  const demoPassword = config.demo && mayWriteDemo ? await createDemo(ctx, () => note('写入示例内容')) : null;
  if (demoPassword !== null)
    printLine(`示例用户：linyan、zhoumu、suhe、chenduo、guwei、heqing，密码都是：${demoPassword}`);
  await rankStarsIfNeverRanked(ctx);
}

/** Returns the generated password, or null when the configuration gives one. */
async function createAdministrator(ctx: Ctx, given: string | undefined): Promise<string | null> {
  const password = given ?? newPassword();
  const id = await createUser(ctx, {
    account: 'admin',
    displayName: '管理员',
    curIdentity: IDENTITY.writer,
    passwordHash: await hashPassword(ctx, password),
    mustChangePassword: given === undefined,
  });
  await grantRole(ctx, id, SUPER_ROLE);
  return given === undefined ? password : null;
}
