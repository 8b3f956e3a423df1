import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { createPool } from '../db/client.ts';
import { openDatabaseAlone, openDatabaseBeside } from '../db/open.ts';
import { openFiles } from '../files/open.ts';
import {
  BackupError,
  chooseName,
  openBackup,
  type Progress,
  RESTORING,
  requireKeys,
  restoreBackup,
  writeBackup,
} from '../modules/admin/backups/index.ts';
import { keyFile } from '../secrets/key-file.ts';
import { hasKeyHere, type Lost, openKeys } from '../secrets/secrets.ts';
import { type CommandOptions, countersCheck, ledgerCheck } from './commands.ts';

type Print = CommandOptions['print'];

const EVERY_MS = 2000;

/** A line now and then, however much there is to tell, and none twice. */
function tellProgress(what: string, print: Print): (progress: Progress) => void {
  let told = performance.now();
  let last = '';
  return ({ done, total, text }) => {
    if (performance.now() - told < EVERY_MS) return;
    told = performance.now();
    const line = `${what} ${total === 0 ? 0 : Math.floor((100 * done) / total)}%：${text}`;
    if (line !== last) print(line);
    last = line;
  };
}

const grouped = (count: number): string => count.toLocaleString('zh-CN');
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const toClock = (time: string): string =>
  new Date(time).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' });
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} 秒`;

function read<T>(parse: () => T, usage: string): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(usage, { cause: error });
  }
}

const BACKUP_USAGE = '用法：npm run backup [-- --to 文件]';

/** Everything into one file, also beside a running server. Needs no table of its own: it is what precedes an upgrade. */
export async function backup({ args, print }: CommandOptions): Promise<void> {
  const { values } = read(() => parseArgs({ args, options: { to: { type: 'string' } } }), BACKUP_USAGE);
  const config = readConfig();
  const since = performance.now();
  const database = await openDatabaseBeside(config, print);
  const pool = createPool({ ...database.connection, max: 2 });
  try {
    const now = new Date();
    const { target, aside } = await placeOf(config, values.to, now);
    print(`备份到 ${target}`);
    const source = { pool, files: await openFiles(config) };
    const report = tellProgress('备份', print);
    const { manifest, bytes } = await writeBackup(source, { target, aside, madeBy: 'command', now, report });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    print(
      `备份完成：${manifest.tables.length} 张表 ${grouped(rows)} 行，` +
        `${grouped(manifest.files.count)} 个文件，共 ${megabytes(bytes)}，用时 ${seconds(since)}`,
    );
    tellMissing(manifest.missing, print);
    if (manifest.keys.length > 0)
      print(`备份里没有解密用的密钥（编号 ${manifest.keys.join('、')}）：请另外保存${whereKey(config)}`);
  } finally {
    await pool.end();
    await database.close();
  }
}

const whereKey = (config: Config): string =>
  config.secretKey.length > 0 ? ' SECRET_KEY' : ` ${keyFile(config)}`;

async function placeOf(config: Config, to: string | undefined, now: Date) {
  if (to === undefined) return chooseName(config, now);
  const target = resolve(to);
  const isTaken = await access(target).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new BackupError(`${target} 已经存在，没有备份：请换一个文件名`);
  return { target, aside: join(dirname(target), `.mozhan-${process.pid}.part`) };
}

function tellMissing(missing: string[], print: Print): void {
  if (missing.length === 0) return;
  print(`注意：有 ${missing.length} 个文件有记录，却不在或已损坏，备份里没有它们：`);
  for (const path of missing.slice(0, 20)) print(`  ${path}`);
  if (missing.length > 20) print(`  ……其余见备份里的 manifest.json`);
}

const RESTORE_USAGE =
  '用法：npm run restore -- 备份文件 [--verify] [--replace [--yes]] [--without-jobs] [--without-key] [--check]';

/** Into an empty database, or in place of what is there when that is said twice. */
export async function restore({ args, print }: CommandOptions): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const without = { 'without-jobs': flag, 'without-key': flag };
  const options = { replace: flag, yes: flag, verify: flag, check: flag, ...without };
  const { values, positionals } = read(
    () => parseArgs({ args, allowPositionals: true, options }),
    RESTORE_USAGE,
  );
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new ConfigError(RESTORE_USAGE);
  const config = readConfig();
  const since = performance.now();
  const opened = await openBackup(resolve(path), tellProgress('校验', print));
  try {
    const { madeAt, version, files, tables } = opened.manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    print(
      `备份完好：${toClock(madeAt)} 由墨栈 ${version} 制作，` +
        `${grouped(rows)} 行，${grouped(files.count)} 个文件`,
    );
    if (values.verify) return;
    await replaceBy(config, opened, {
      print,
      withJobs: !values['without-jobs'],
      withoutKey: values['without-key'],
      mayReplace: async (people) => values.replace && (values.yes || (await isConfirmed(people))),
    });
  } finally {
    await opened.archive.close();
  }
  print(`恢复完成，用时 ${seconds(since)}。现在可以用 npm start 启动，用备份时的账号和密码登录。`);
  if (!values.check) return;
  await countersCheck({ args: [], print });
  await ledgerCheck({ args: [], print });
}

interface Replacing {
  print: Print;
  withJobs: boolean;
  withoutKey: boolean;
  mayReplace: (people: number) => Promise<boolean>;
}

async function replaceBy(
  config: Config,
  opened: Awaited<ReturnType<typeof openBackup>>,
  { print, withJobs, withoutKey, mayReplace }: Replacing,
): Promise<void> {
  if (!withoutKey) requireKeys(opened.manifest, (keyId) => hasKeyHere(config, keyId));
  const encryption = openKeys(config, print);
  const database = await openDatabaseAlone(config, print);
  const pool = createPool({
    ...database.connection,
    application_name: RESTORING,
    max: 3,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  try {
    const target = { pool, files: await openFiles(config), encryption };
    const report = tellProgress('恢复', print);
    tellLost(await restoreBackup(target, opened, { withJobs, withoutKey, mayReplace, report }), print);
  } finally {
    await pool.end();
    await database.close();
  }
}

/** What went with a key that is missing. */
export function tellLost({ totp, webhooks }: Lost, print: Print): void {
  if (totp > 0) print(`已关闭 ${totp} 个账号的两步验证：请他们登录后重新开启`);
  if (webhooks > 0) print(`${webhooks} 个外部通知换了新的签名密钥：请在后台查看，并告诉接收的一方`);
}

async function isConfirmed(people: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw new BackupError('要替换现有的网站而不询问，请再加上 --yes');
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await line.question(
    `数据库里有 ${people} 位用户，恢复会删除现有的全部内容，换成备份里的。确定请输入「替换」：`,
  );
  line.close();
  return answer.trim() === '替换';
}
