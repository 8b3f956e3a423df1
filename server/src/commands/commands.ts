import { createApp } from '../app.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import type { Ctx } from '../ctx.ts';
import { openDatabaseForCommand } from '../db/connect.ts';
import { createDiskFiles } from '../files/disk.ts';
import { moveFiles } from '../files/move.ts';
import { createS3Files } from '../files/s3.ts';
import { systemCtx } from '../jobs.ts';
import { resetAdministrator } from '../modules/accounts/users/index.ts';
import { removeDemo } from '../modules/admin/demo/index.ts';
import { checkCounters, checkLedger } from '../modules/admin/system/index.ts';
import { closeThreads } from '../threads/threads.ts';

export interface CommandOptions {
  args: string[];
  print: (message: string) => void;
}

/** Runs an operator's command with an app, whether or not a server is running. */
async function withApp(print: CommandOptions['print'], work: (ctx: Ctx) => Promise<void>): Promise<void> {
  const config = readConfig();
  const database = await openDatabaseForCommand(config, print);
  try {
    const app = await createApp({ config, connection: database.connection, runsJobs: false });
    await work(systemCtx(app.services)).finally(app.close);
  } finally {
    await closeThreads();
    await database.close();
  }
}

/** Sets a one-time password and disables the second factor of an administrator who is locked out. */
export const adminReset = ({ args: [account = 'admin'], print }: CommandOptions): Promise<void> =>
  withApp(print, async (ctx) => {
    const password = await resetAdministrator(ctx, account);
    print(
      password === null
        ? `没有名为 ${account} 的工作人员账号`
        : `账号 ${account} 的一次性密码：${password}（两步验证已关闭，所有登录已失效，登录后须修改密码）`,
    );
    if (password === null) process.exitCode = 1;
  });

export const demoRemove = ({ print }: CommandOptions): Promise<void> =>
  withApp(print, async (ctx) => {
    print(`已移除 ${await removeDemo(ctx)} 位示例用户和他们的内容`);
  });

/** Prints stored counters that differ from the rows they count; changes nothing. */
export const countersCheck = ({ print }: CommandOptions): Promise<void> =>
  withApp(print, async (ctx) => {
    const differences = await checkCounters(ctx);
    for (const { counter, id, expected, found } of differences)
      print(`${counter} ${id}：应为 ${expected}，记为 ${found}`);
    print(differences.length === 0 ? '所有计数都与记录相符' : `共有 ${differences.length} 处不符`);
    if (differences.length > 0) process.exitCode = 1;
  });

/** Prints inconsistencies between ledger, orders and withdrawals; changes nothing. */
export const ledgerCheck = ({ print }: CommandOptions): Promise<void> =>
  withApp(print, async (ctx) => {
    const problems = await checkLedger(ctx);
    for (const problem of problems) print(problem);
    print(problems.length === 0 ? '账本、订单与提现都相符' : `共有 ${problems.length} 处不符`);
    if (problems.length > 0) process.exitCode = 1;
  });

/** Copies the files on disk to S3 after S3 has been configured. */
export async function filesMove({ print }: CommandOptions): Promise<void> {
  const config = readConfig();
  if (config.s3 === null) throw new ConfigError('没有设置 S3_ENDPOINT 等几项：不知道该把文件移到哪里');
  const store = await createS3Files(config, config.s3);
  const { copied, alreadyStored, broken } = await moveFiles(await createDiskFiles(config), store);
  for (const path of broken) print(`内容已损坏，没有移动：${path}`);
  print(`移动了 ${copied} 个文件，${alreadyStored} 个已经在那里。磁盘上的文件还在，确认无误后可以删除`);
  if (broken.length > 0) process.exitCode = 1;
}
