import { z } from 'zod';
import { time } from './common.ts';
import { defineCall } from './define.ts';

export const healthState = z
  .enum(['ok', 'warn', 'bad'])
  .meta({ title: '状态', description: 'ok 正常，warn 需要留意，bad 有问题' });
export type HealthState = z.output<typeof healthState>;

const bytes = z.int();
const budget = z.object({ sent: z.int(), budget: z.int() }).nullable();

/** A part that could not be queried is null and has a failed check; the other parts are unaffected. */
export const health = z.object({
  /** The worst of the checks. */
  state: healthState,
  checks: z.array(
    z.object({
      part: z.enum([
        'database',
        'migrations',
        'redis',
        'storage',
        'queue',
        'disk',
        'memory',
        'live',
        'mail',
        'codes',
        'backup',
      ]),
      state: healthState,
      text: z.string(),
    }),
  ),
  database: z
    .object({
      version: z.string(),
      /** Whether it is the bundled PostgreSQL. */
      embedded: z.boolean(),
      bytes,
      connections: z.int(),
      maxConnections: z.int(),
      latencyMs: z.number(),
    })
    .nullable(),
  redis: z
    .object({ latencyMs: z.number().nullable() })
    .nullable()
    .meta({ description: '没有设置 REDIS_URL 时为 null；连不上时 latencyMs 为 null' }),
  storage: z
    .object({ kind: z.enum(['disk', 's3']), where: z.string(), freeBytes: bytes.nullable(), bytes })
    .nullable(),
  queue: z
    .object({
      waiting: z.int(),
      running: z.int(),
      /** Permanently failed: no more retries. */
      failed: z.int(),
      /** Since when the oldest due job has been waiting. */
      oldest: time.nullable(),
    })
    .nullable(),
  /** Of DATA_DIR. */
  disk: z.object({ freeBytes: bytes, totalBytes: bytes }).nullable(),
  process: z.object({
    version: z.string(),
    update: z
      .object({ from: z.string(), at: time })
      .nullable()
      .meta({ description: '最近一次更新：从哪个版本，什么时候；没有更新过时为 null' }),
    node: z.string(),
    /** Seconds. */
    uptime: z.int(),
    memoryBytes: bytes,
    workers: z.int(),
  }),
  live: z.object({ connections: z.int() }).nullable(),
  mail: z.object({ configured: z.boolean() }),
  codes: z
    .object({ sms: budget, mail: budget })
    .nullable()
    .meta({ description: '今天发出的验证码与每天的上限；没有配置短信或邮件时，那一项为 null' }),
  backup: z.object({ last: time.nullable() }).nullable(),
});
export type Health = z.output<typeof health>;

export const getHealth = defineCall({
  method: 'GET',
  path: 'core/sys/health/',
  summary: '系统状态：数据库、存储、任务、磁盘、进程与各项检查；一项坏了不影响其余',
  access: 'health:list',
  input: z.object({}),
  output: health,
});

export const calls = [getHealth] as const;
