import { access, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { createPool } from '../db/client.ts';
import { openDatabaseForCommand } from '../db/connect.ts';
import { openDatabaseExclusively } from '../db/open.ts';
import { openFiles } from '../files/open.ts';
import {
  BackupError,
  type Copies,
  chooseFileName,
  ensureFolder,
  openBackup,
  openCopies,
  type Progress,
  RESTORE_APPLICATION_NAME,
  requireKeys,
  restoreBackup,
  writeBackup,
} from '../modules/admin/backups/index.ts';
import { keyFilePath } from '../secrets/key-file.ts';
import { hasConfiguredKey, type LostSecrets, openOrCreateKeys } from '../secrets/secrets.ts';
import { type CommandOptions, countersCheck, ledgerCheck } from './commands.ts';

type Print = CommandOptions['print'];

const PRINT_INTERVAL_MS = 2000;

/** Prints at most one line per interval and never the same line twice in a row. */
function createProgressPrinter(label: string, print: Print): (progress: Progress) => void {
  let printedAt = performance.now();
  let last = '';
  return ({ done, total, text }) => {
    if (performance.now() - printedAt < PRINT_INTERVAL_MS) return;
    printedAt = performance.now();
    const line = `${label} ${total === 0 ? 0 : Math.floor((100 * done) / total)}%：${text}`;
    if (line !== last) print(line);
    last = line;
  };
}

const formatCount = (count: number): string => count.toLocaleString('zh-CN');
const formatMegabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
const toLocalTime = (time: string): string =>
  new Date(time).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai' });
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} 秒`;

function parseOrThrowUsage<T>(parse: () => T, usage: string): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(usage, { cause: error });
  }
}

const BACKUP_USAGE = '用法：npm run backup [-- --to 文件]';

/** Backs up the site into one file, also while a server runs. Works with an older schema, because it precedes an upgrade. */
export async function backup({ args, print }: CommandOptions): Promise<void> {
  const { values } = parseOrThrowUsage(
    () => parseArgs({ args, options: { to: { type: 'string' } } }),
    BACKUP_USAGE,
  );
  const config = readConfig();
  const since = performance.now();
  const database = await openDatabaseForCommand(config, print);
  const pool = createPool({ ...database.connection, max: 2 });
  try {
    const now = new Date();
    const { target, temporaryPath } = await chooseTarget(config, values.to, now);
    print(`备份到 ${target}`);
    const source = { pool, files: await openFiles(config) };
    const report = createProgressPrinter('备份', print);
    const { manifest, bytes } = await writeBackup(source, {
      target,
      temporaryPath,
      madeBy: 'command',
      now,
      report,
    });
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    print(
      `备份完成：${manifest.tables.length} 张表 ${formatCount(rows)} 行，` +
        `${formatCount(manifest.files.count)} 个文件，共 ${formatMegabytes(bytes)}，用时 ${seconds(since)}`,
    );
    printMissingFiles(manifest.missing, print);
    if (manifest.keys.length > 0)
      print(`备份里没有解密用的密钥（编号 ${manifest.keys.join('、')}）：请另外保存${keyLocation(config)}`);
  } finally {
    await pool.end();
    await database.close();
  }
}

const keyLocation = (config: Config): string =>
  config.secretKey.length > 0 ? ' SECRET_KEY' : ` ${keyFilePath(config)}`;

async function chooseTarget(config: Config, to: string | undefined, now: Date) {
  if (to === undefined) return chooseFileName(config, now);
  const target = resolve(to);
  const exists = await access(target).then(
    () => true,
    () => false,
  );
  if (exists) throw new BackupError(`${target} 已经存在，没有备份：请换一个文件名`);
  return { target, temporaryPath: join(dirname(target), `.mozhan-${process.pid}.part`) };
}

function printMissingFiles(missing: string[], print: Print): void {
  if (missing.length === 0) return;
  print(`注意：有 ${missing.length} 个文件有记录，却不在或已损坏，备份里没有它们：`);
  for (const path of missing.slice(0, 20)) print(`  ${path}`);
  if (missing.length > 20) print(`  ……其余见备份里的 manifest.json`);
}

const RESTORE_USAGE =
  '用法：npm run restore -- [--s3] 备份文件 [--verify] [--replace [--yes]] [--without-jobs] [--without-key] [--check | --downgrade]';

/** Restores into an empty database, or replaces the existing site after a confirmation. */
export async function restore({ args, print }: CommandOptions): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const without = { 'without-jobs': flag, 'without-key': flag };
  const options = {
    replace: flag,
    yes: flag,
    verify: flag,
    check: flag,
    downgrade: flag,
    s3: flag,
    ...without,
  };
  const { values, positionals } = parseOrThrowUsage(
    () => parseArgs({ args, allowPositionals: true, options }),
    RESTORE_USAGE,
  );
  const [given] = positionals;
  const config = readConfig();
  if (values.s3 && positionals.length === 0) return printCopies(config, print);
  // The check needs the schema of this version.
  if (given === undefined || positionals.length > 1 || (values.check && values.downgrade))
    throw new ConfigError(RESTORE_USAGE);
  const path = values.s3 ? await downloadCopy(config, given, print) : given;
  const since = performance.now();
  const opened = await openBackup(resolve(path), createProgressPrinter('校验', print));
  try {
    const { madeAt, version, files, tables } = opened.manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    print(
      `备份完好：${toLocalTime(madeAt)} 由墨栈 ${version} 制作，` +
        `${formatCount(rows)} 行，${formatCount(files.count)} 个文件`,
    );
    if (values.verify) return;
    await restoreFrom(config, opened, {
      print,
      withJobs: !values['without-jobs'],
      withoutKey: values['without-key'],
      downgrade: values.downgrade,
      mayReplace: async (userCount) => values.replace && (values.yes || (await isConfirmed(userCount))),
    });
  } finally {
    await opened.archive.close();
  }
  print(
    `恢复完成，用时 ${seconds(since)}。` +
      (values.downgrade
        ? `数据库停在墨栈 ${opened.manifest.version} 的版本：请先装回它的程序，再用 npm start 启动。`
        : '现在可以用 npm start 启动，用备份时的账号和密码登录。'),
  );
  if (!values.check) return;
  await countersCheck({ args: [], print });
  await ledgerCheck({ args: [], print });
}

async function openConfiguredCopies({ backupS3 }: Config): Promise<Copies> {
  if (backupS3 === null)
    throw new ConfigError('没有设置 BACKUP_S3_ENDPOINT 等几项：不知道备份在哪个存储桶里');
  return openCopies(backupS3);
}

async function printCopies(config: Config, print: Print): Promise<void> {
  const list = await (await openConfiguredCopies(config)).list();
  for (const { name, bytes } of list) print(`${name}  ${formatMegabytes(bytes)}`);
  print(
    list.length === 0
      ? '存储桶里还没有备份'
      : `共 ${list.length} 份，新的在前。恢复其中一份：npm run restore -- --s3 文件名`,
  );
}

/** Downloads a copy into the folder of backups, unless it is there already, and returns its path. */
async function downloadCopy(config: Config, name: string, print: Print): Promise<string> {
  const copies = await openConfiguredCopies(config);
  const copy = (await copies.list()).find((each) => each.name === name);
  if (copy === undefined)
    throw new BackupError(`存储桶里没有 ${name}：用 npm run restore -- --s3 列出全部备份`);
  const target = join(await ensureFolder(config), name);
  const existing = await stat(target).catch(() => null);
  if (existing?.size === copy.bytes) return target;
  if (existing !== null) throw new BackupError(`${target} 已经存在，却与存储桶里的不同：请先移走它`);
  print(`下载 ${name}，${formatMegabytes(copy.bytes)}`);
  const temporaryPath = join(dirname(target), `.${name.slice(0, -4)}-${process.pid}.part`);
  await copies.download(copy, { target, temporaryPath });
  return target;
}

interface RestoreOptions {
  print: Print;
  withJobs: boolean;
  withoutKey: boolean;
  downgrade: boolean;
  mayReplace: (userCount: number) => Promise<boolean>;
}

async function restoreFrom(
  config: Config,
  opened: Awaited<ReturnType<typeof openBackup>>,
  { print, mayReplace, ...options }: RestoreOptions,
): Promise<void> {
  if (!options.withoutKey) requireKeys(opened.manifest, (keyId) => hasConfiguredKey(config, keyId));
  const encryption = openOrCreateKeys(config, print);
  const database = await openDatabaseExclusively(config, print);
  const pool = createPool({
    ...database.connection,
    application_name: RESTORE_APPLICATION_NAME,
    max: 3,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  try {
    const target = { pool, files: await openFiles(config), encryption };
    const report = createProgressPrinter('恢复', print);
    printLostSecrets(
      await restoreBackup(target, opened, { ...options, confirmReplace: mayReplace, report }),
      print,
    );
  } finally {
    await pool.end();
    await database.close();
  }
}

export function printLostSecrets({ totp, webhooks }: LostSecrets, print: Print): void {
  if (totp > 0) print(`已关闭 ${totp} 个账号的两步验证：请他们登录后重新开启`);
  if (webhooks > 0) print(`${webhooks} 个外部通知换了新的签名密钥：请在后台查看，并告诉接收的一方`);
}

async function isConfirmed(userCount: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw new BackupError('要替换现有的网站而不询问，请再加上 --yes');
  const line = createInterface({ input: process.stdin, output: process.stdout });
  const response = await line.question(
    `数据库里有 ${userCount} 位用户，恢复会删除现有的全部内容，换成备份里的。确定请输入「替换」：`,
  );
  line.close();
  return response.trim() === '替换';
}
