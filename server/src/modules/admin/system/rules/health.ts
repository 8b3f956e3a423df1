import type { Health, HealthState } from '@mozhan/contract/health.ts';

type Check = Health['checks'][number];

export interface HealthParts extends Omit<Health, 'state' | 'checks'> {
  migrations: { missing: string[]; unknown: string[] } | null;
}

const FREE_WARN = 0.1;
const FREE_BAD = 0.03;
const CONNECTIONS_WARN = 0.8;
const CONNECTIONS_BAD = 0.95;
const WAIT_WARN_MS = 10 * 60_000;
const WAIT_BAD_MS = 60 * 60_000;
const SLOW_MS = 100;
const BACKUP_DAYS = 8;
const CODES_WARN = 0.8;
const DAY_MS = 86_400_000;

const ORDER: readonly HealthState[] = ['ok', 'warn', 'bad'];

const ok = (part: Check['part'], text: string): Check => ({ part, state: 'ok', text });
const warn = (part: Check['part'], text: string): Check => ({ part, state: 'warn', text });
const bad = (part: Check['part'], text: string): Check => ({ part, state: 'bad', text });

const percent = (share: number): string => `${Math.floor(share * 100)}%`;

function checkDatabase(database: HealthParts['database']): Check {
  if (database === null) return bad('database', '数据库没有响应');
  const { connections, maxConnections, latencyMs } = database;
  const share = connections / Math.max(maxConnections, 1);
  const used = `已用 ${connections} / ${maxConnections} 个连接`;
  if (share >= CONNECTIONS_BAD) return bad('database', `数据库连接快用完了，${used}`);
  if (share >= CONNECTIONS_WARN) return warn('database', `数据库连接用得较多，${used}`);
  if (latencyMs > SLOW_MS) return warn('database', `数据库响应较慢，用时 ${Math.round(latencyMs)} 毫秒`);
  return ok('database', '数据库正常');
}

function checkMigrations(migrations: HealthParts['migrations']): Check {
  if (migrations === null) return bad('migrations', '没能读出数据库结构的版本');
  if (migrations.missing.length > 0)
    return bad('migrations', `数据库结构落后 ${migrations.missing.length} 个版本，请重新启动程序`);
  if (migrations.unknown.length > 0)
    return warn('migrations', '数据库结构比这个程序新，请把所有进程都换成新版');
  return ok('migrations', '数据库结构与程序一致');
}

function checkDisk(disk: HealthParts['disk']): Check {
  if (disk === null) return bad('disk', '没能读出磁盘的剩余空间');
  const share = disk.freeBytes / Math.max(disk.totalBytes, 1);
  if (share < FREE_BAD) return bad('disk', `磁盘快满了，只剩 ${percent(share)}`);
  if (share < FREE_WARN) return warn('disk', `磁盘剩余空间不多，还有 ${percent(share)}`);
  return ok('disk', `磁盘还有 ${percent(share)} 空闲`);
}

function checkQueue(queue: HealthParts['queue'], now: Date): Check {
  if (queue === null) return bad('queue', '没能读出后台任务');
  const waited = queue.oldest === null ? 0 : now.getTime() - new Date(queue.oldest).getTime();
  const minutes = Math.floor(waited / 60_000);
  if (waited > WAIT_BAD_MS) return bad('queue', `有任务到时间后 ${minutes} 分钟还没有运行`);
  if (waited > WAIT_WARN_MS) return warn('queue', `有任务到时间后 ${minutes} 分钟还没有运行`);
  if (queue.failed > 0) return warn('queue', `有 ${queue.failed} 个任务多次失败，不再重试`);
  return ok('queue', '后台任务正常');
}

function checkStorage(storage: HealthParts['storage']): Check {
  if (storage === null) return bad('storage', '文件存储连不上，上传和附件暂时不可用');
  return ok('storage', storage.kind === 's3' ? '对象存储正常' : '文件存储正常');
}

function checkRedis(redis: HealthParts['redis']): Check[] {
  if (redis === null) return [];
  return [
    redis.latencyMs === null
      ? bad('redis', 'Redis 没有响应，进程之间的实时消息会延迟')
      : ok('redis', 'Redis 正常'),
  ];
}

/** Reports the channel that has used most of its daily budget. */
function checkCodes(codes: HealthParts['codes']): Check[] {
  if (codes === null) return [bad('codes', '没能读出今天发了多少验证码')];
  const channels = [
    { name: '短信', used: codes.sms },
    { name: '邮件', used: codes.mail },
  ].flatMap(({ name, used }) =>
    used === null
      ? []
      : [{ share: used.sent / used.budget, text: `${name}验证码 ${used.sent} / ${used.budget} 条` }],
  );
  const [worst] = channels.toSorted((a, b) => b.share - a.share);
  if (worst === undefined) return [];
  if (worst.share >= 1) return [bad('codes', `今天的验证码已经发完，明天恢复：${worst.text}`)];
  if (worst.share >= CODES_WARN) return [warn('codes', `今天的验证码快发完了：${worst.text}`)];
  return [ok('codes', `今天发出${channels.map(({ text }) => text).join('，')}`)];
}

function checkBackup(backup: HealthParts['backup'], now: Date): Check[] {
  if (backup === null) return [];
  if (backup.last === null) return [warn('backup', '还没有备份过')];
  const days = Math.floor((now.getTime() - new Date(backup.last).getTime()) / DAY_MS);
  return [
    days >= BACKUP_DAYS
      ? warn('backup', `最近一次备份是 ${days} 天前`)
      : ok('backup', days === 0 ? '最近一天内备份过' : `${days} 天前备份过`),
  ];
}

export function runChecks(parts: HealthParts, now: Date): Check[] {
  return [
    checkDatabase(parts.database),
    checkMigrations(parts.migrations),
    ...checkRedis(parts.redis),
    checkStorage(parts.storage),
    checkDisk(parts.disk),
    checkQueue(parts.queue, now),
    parts.live === null ? bad('live', '实时连接没有响应') : ok('live', '实时连接正常'),
    parts.mail.configured
      ? ok('mail', '邮件已配置')
      : warn('mail', '没有配置邮件（SMTP_URL），找回密码和验证码发不出去'),
    ...checkCodes(parts.codes),
    ...checkBackup(parts.backup, now),
  ];
}

export const worstState = (checks: readonly Check[]): HealthState =>
  ORDER[Math.max(0, ...checks.map(({ state }) => ORDER.indexOf(state)))] ?? 'ok';
