import { z } from 'zod';
import { done, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';

export const backupSource = z
  .enum(['manual', 'scheduled', 'command', 'update'])
  .meta({ title: '来源', description: '在后台、定时、命令行、更新前' });
export const backupStatus = z
  .enum(['waiting', 'running', 'done', 'failed'])
  .meta({ title: '状态', description: '等待、进行中、完成、失败' });

const backup = z.object({
  id,
  name: z.string().nullable().meta({ description: '文件名；完成后才有' }),
  madeBy: backupSource,
  by: z.string().nullable().meta({ description: '谁做的；定时与命令行的为空' }),
  status: backupStatus,
  bytes: z.int().nullable(),
  progress: z.int().min(0).max(100).meta({ description: '百分数' }),
  message: z.string().meta({ description: '进行到哪里，或失败的原因' }),
  contents: z
    .object({
      tables: z.int(),
      rows: z.int(),
      jobs: z.int().meta({ description: '还没做的任务，如待发的邮件' }),
      files: z.int(),
      fileBytes: z.int(),
      missing: z.array(z.string()).meta({ description: '有记录而不在的文件，最多 100 个' }),
      missingCount: z.int(),
      version: z.string(),
      postgres: z.string(),
    })
    .nullable(),
  copiedAt: time.nullable().meta({ description: '什么时候复制到了 S3；没有复制或没有配置时为空' }),
  copyError: z.string().meta({ description: '最近一次没能复制到 S3 的原因，一小时后会再试' }),
  isHere: z.boolean().meta({ description: '文件是否在处理这个请求的机器上' }),
  createdAt: time,
  finishedAt: time.nullable(),
});
export type Backup = z.output<typeof backup>;

export const backupSchedule = z.object({
  on: z.boolean().meta({ title: '定时备份' }),
  hour: z
    .int()
    .min(0, '应在 0–23 之间')
    .max(23, '应在 0–23 之间')
    .meta({ title: '时间', description: '北京时间的整点' }),
  daily: z.int().min(1, '至少保留 1 份').max(90, '最多保留 90 份').meta({ title: '保留每日备份' }),
  weekly: z.int().min(0, '不能少于 0 份').max(52, '最多保留 52 份').meta({ title: '保留每周备份' }),
  copyDaily: z.int().min(1, '至少保留 1 份').max(366, '最多保留 366 份').meta({ title: 'S3 保留每日备份' }),
  copyWeekly: z.int().min(0, '不能少于 0 份').max(520, '最多保留 520 份').meta({ title: 'S3 保留每周备份' }),
});
export type BackupSchedule = z.output<typeof backupSchedule>;

const plan = backupSchedule.extend({
  next: time.nullable().meta({ description: '下一次定时备份；关闭时为空' }),
  folder: z.string().meta({ description: '备份放在哪里' }),
  freeBytes: z.int().meta({ description: '那里还剩多少空间' }),
  isManaged: z.boolean().meta({ description: '数据库是否由墨栈自带' }),
  copiesTo: z.string().nullable().meta({ description: '备份复制到哪个存储桶；没有设置 BACKUP_S3_* 时为空' }),
});
export type BackupPlan = z.output<typeof plan>;

export const listBackups = defineCall({
  method: 'GET',
  path: 'core/sys/backup/',
  summary: '备份，新的在前',
  access: 'backup:list',
  input: listInput.extend({ madeBy: backupSource.optional(), status: backupStatus.optional() }),
  output: pageOf(backup),
});

export const createBackup = defineCall({
  method: 'POST',
  path: 'core/sys/backup/',
  summary: '立即备份：在后台进行，网站照常运行',
  access: 'backup:create',
  input: z.object({}),
  output: backup,
  errors: ['BACKUP_RUNNING', 'BACKUP_NO_SPACE'],
});

export const removeBackup = defineCall({
  method: 'DELETE',
  path: 'core/sys/backup/',
  summary: '删除一份备份',
  access: 'backup:remove',
  input: z.object({ id }),
  output: done,
  errors: ['BACKUP_RUNNING', 'GONE'],
});

export const createBackupLink = defineCall({
  method: 'POST',
  path: 'core/sys/backup/link',
  summary: '下载一份备份的地址，五分钟内有效',
  access: 'backup:download',
  input: z.object({ id }),
  output: z.object({ url: z.string(), expiresAt: time }),
});

export const getBackupPlan = defineCall({
  method: 'GET',
  path: 'core/sys/backup/schedule',
  summary: '定时备份的设置',
  access: 'backup:list',
  input: z.object({}),
  output: plan,
});

export const updateBackupPlan = defineCall({
  method: 'PUT',
  path: 'core/sys/backup/schedule',
  summary: '修改定时备份',
  access: 'backup:update',
  input: backupSchedule.partial(),
  output: plan,
});

export const calls = [
  listBackups,
  createBackup,
  removeBackup,
  createBackupLink,
  getBackupPlan,
  updateBackupPlan,
] as const;
