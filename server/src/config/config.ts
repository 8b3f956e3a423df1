import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { trimEnd } from '@mozhan/contract/text-scan.ts';
import { z } from 'zod';
import { secretKeyEnvironment } from './key.ts';
import { type AlipayConfig, payEnvironment, readAlipay, readWechatPay, type WechatPayConfig } from './pay.ts';
import { backupS3Environment, readBackupS3, readS3, type S3Config, s3Environment } from './s3.ts';
import { readSms, type SmsConfig, smsEnvironment } from './sms.ts';

/** An error that the operator can fix; its message is printed without a stack trace. */
export class ConfigError extends Error {}

const onOff = z.enum(['on', 'off'], '只能是 on 或 off').transform((value) => value === 'on');

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

const proxies = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine(
    (parts) => parts.every((part) => part === 'loopback' || part === 'uniquelocal' || isNetwork(part)),
    '应是以逗号分隔的代理地址，例如 127.0.0.1,10.0.0.0/8',
  );

const MAX_WORKERS = 16;
const MAX_CODES_PER_DAY = 10_000_000;

const positiveInt = (max: number) =>
  z.coerce.number('应是数字').int('应是整数').min(1, `应在 1–${max} 之间`).max(max, `应在 1–${max} 之间`);

const webAddress = z
  .url({ protocol: /^https?$/, error: '应是以 http:// 或 https:// 开头的网址' })
  .transform((value) => trimEnd(value, '/'));

const environment = z.object({
  PORT: z.coerce
    .number('应是端口号')
    .int('应是整数')
    .min(1, '应在 1–65535 之间')
    .max(65535, '应在 1–65535 之间')
    .default(9000),
  HOST: z.string().default('127.0.0.1'),
  WORKERS: positiveInt(MAX_WORKERS).default(1),
  SITE_URL: webAddress.optional(),
  BASE_PATH: z
    .string()
    .regex(/^\/([\w-]+(\/[\w-]+)*)?\/?$/, '应以 / 开头，例如 /blog')
    .transform((value) => trimEnd(value, '/'))
    .default(''),
  DATA_DIR: z.string().default('data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, '应以 postgresql:// 开头')
    .optional(),
  ...secretKeyEnvironment,
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, '应以 redis:// 或 rediss:// 开头')
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, '应以 smtp:// 或 smtps:// 开头')
    .optional(),
  MAIL_FROM: z.string().optional(),
  ...smsEnvironment,
  SMS_DAILY_BUDGET: positiveInt(MAX_CODES_PER_DAY).default(1000),
  CODE_MAIL_DAILY_BUDGET: positiveInt(MAX_CODES_PER_DAY).default(5000),
  STAFF_IDLE_HOURS: positiveInt(720).default(12),
  STAFF_SESSION_DAYS: positiveInt(30).default(7),
  ADMIN_PASSWORD: z.string().min(8, '至少 8 个字符').max(128, '最多 128 个字符').optional(),
  DEMO: onOff.optional(),
  PAY_SANDBOX: onOff.optional(),
  ...payEnvironment,
  ...s3Environment,
  ...backupS3Environment,
  /** Read by time-limits.ts. */
  TIME_LIMIT_FACTOR: positiveInt(100).default(1),
  UPDATE_BACKUP: onOff.default(true),
  CHALLENGE: onOff.default(true),
  RATE_LIMIT: onOff.default(true),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], '应是 pino 的日志级别')
    .default('info'),
  WEBHOOK_ALLOW_PRIVATE: onOff.default(false),
  FETCH_ALLOW_PRIVATE: onOff.default(false),
  METRICS_TOKEN: z.string().min(16, '至少 16 个字符').optional(),
  TRUST_PROXY: z.union([z.literal('off').transform(() => false as const), proxies]).default(false),
});

/** Names of all environment variables, to check the documentation and compose.yaml. */
export const environmentVariableNames: readonly string[] = Object.keys(environment.shape);

export interface Config {
  port: number;
  host: string;
  workers: number;
  /** Public origin with base path, without trailing slash; null if not configured. */
  siteUrl: string | null;
  /** '' or a path such as '/blog'. */
  basePath: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Keys of the secrets in the database, of which the first encrypts; empty: a file in `dataDir` holds the key. */
  secretKey: KeyObject[];
  /** Replaced keys, for decryption only. */
  secretKeyOld: KeyObject[];
  /** Redis transports live events between processes instead of PostgreSQL. */
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  sms: SmsConfig | null;
  /** Maximum number of codes that the site sends per day. */
  codeBudgets: { sms: number; mail: number };
  /** Idle timeout and maximum lifetime of staff sessions. */
  staffIdleHours: number;
  staffSessionDays: number;
  adminPassword: string | undefined;
  demo: boolean;
  paySandbox: boolean;
  alipay: AlipayConfig | null;
  wechatPay: WechatPayConfig | null;
  s3: S3Config | null;
  /** The bucket for copies of backups. */
  backupS3: S3Config | null;
  /** Backs up the database before an update migrates it. */
  updateBackup: boolean;
  challenge: boolean;
  rateLimit: boolean;
  /** Cost of argon2id. Not configurable by a variable; tests lower it. */
  passwordCost: { memoryCost: number; timeCost: number };
  logLevel: string;
  /** Allows webhooks to private addresses and over plain HTTP, and imports to fetch files from private addresses. */
  webhookAllowPrivate: boolean;
  /** Lets writers have links and pictures at private addresses and on other ports checked and fetched. */
  fetchAllowPrivate: boolean;
  metricsToken: string | undefined;
  trustProxy: false | string[];
  /** Runs Vite in this process, and prints mails and text messages instead of sending them. */
  dev: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env, dev = false): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success)
    throw toConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}：${issue.message}`));
  const e = parsed.data;
  const problems: string[] = [];
  const reportProblem = (name: string, message: string): void => {
    problems.push(`${name}：${message}`);
  };
  const alipay = readAlipay(e, reportProblem);
  const wechatPay = readWechatPay(e, reportProblem);
  const s3 = readS3(e, reportProblem);
  const backupS3 = readBackupS3(e, s3, reportProblem);
  const sms = readSms(e, reportProblem);
  // Payment providers send callbacks and redirect payers to this URL.
  if ((alipay !== null || wechatPay !== null) && e.SITE_URL === undefined)
    reportProblem('SITE_URL', '开通支付宝或微信支付时，须填写对外的网址');
  if (problems.length > 0) throw toConfigError(problems);
  const demo = e.DEMO ?? e.DATABASE_URL === undefined;
  return {
    port: e.PORT,
    host: e.HOST,
    workers: e.WORKERS,
    siteUrl: e.SITE_URL === undefined ? null : e.SITE_URL + e.BASE_PATH,
    basePath: e.BASE_PATH,
    dataDir: resolve(e.DATA_DIR),
    databaseUrl: e.DATABASE_URL,
    secretKey: e.SECRET_KEY ?? [],
    secretKeyOld: e.SECRET_KEY_OLD ?? [],
    redisUrl: e.REDIS_URL,
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    sms,
    codeBudgets: { sms: e.SMS_DAILY_BUDGET, mail: e.CODE_MAIL_DAILY_BUDGET },
    staffIdleHours: e.STAFF_IDLE_HOURS,
    staffSessionDays: e.STAFF_SESSION_DAYS,
    adminPassword: e.ADMIN_PASSWORD,
    demo,
    paySandbox: e.PAY_SANDBOX ?? demo,
    alipay,
    wechatPay,
    s3,
    backupS3,
    updateBackup: e.UPDATE_BACKUP,
    challenge: e.CHALLENGE,
    rateLimit: e.RATE_LIMIT,
    // OWASP's second profile: 19 MiB, two passes.
    passwordCost: { memoryCost: 19_456, timeCost: 2 },
    logLevel: e.LOG_LEVEL,
    webhookAllowPrivate: e.WEBHOOK_ALLOW_PRIVATE,
    fetchAllowPrivate: e.FETCH_ALLOW_PRIVATE,
    metricsToken: e.METRICS_TOKEN,
    trustProxy: e.TRUST_PROXY,
    dev,
  };
}

export const publicFilesUrl = ({ s3, basePath }: Pick<Config, 's3' | 'basePath'>): string =>
  s3?.publicUrl ?? basePath;

const toConfigError = (problems: string[]) =>
  new ConfigError(`配置有误，没有启动：\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
