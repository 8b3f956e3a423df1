import type { BackupSchedule } from '@mozhan/contract/backups.ts';
import type { ChecklistEntry, ChecklistEntryName } from '@mozhan/contract/checklist.ts';
import type { Permission } from '@mozhan/contract/client.ts';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { Viewer } from '../../../ctx.ts';
import { hasPermission } from '../../../viewer.ts';
import type { Facts } from './queries.ts';

const DAY_MS = 86_400_000;
const BACKUP_DAYS = 8;

const permissions: Partial<Record<ChecklistEntryName, Permission>> = {
  title: 'setting:update',
  contact: 'setting:update',
  icp: 'setting:update',
  mail: 'mail:list',
  backup: 'backup:list',
  secretKey: 'backup:list',
  categories: 'category:update',
};

export function canDoEntry(viewer: Viewer, name: ChecklistEntryName): boolean {
  if (name === 'adminEmail') return viewer.isSuper;
  if (name === 'essay') return viewer.curIdentity === IDENTITY.writer;
  const permission = permissions[name];
  return permission !== undefined && hasPermission(viewer, permission);
}

export interface Installation {
  now: Date;
  schedule: BackupSchedule;
  backupFolder: string;
  /** Whether backups are also copied to S3. */
  hasBackupCopies: boolean;
  isMailConfigured: boolean;
  /** Whether the current server has accepted a test mail. */
  isMailTested: boolean;
  /** Null: the key comes from the environment. */
  keyFile: string | null;
  defaultCategories: readonly string[];
}

type Status = Omit<ChecklistEntry, 'name' | 'state'> & { isDone: boolean };

const doneIf = (isDone: boolean, ifDone: string, otherwise: string): Status => ({
  isDone,
  text: isDone ? ifDone : otherwise,
});

function checkBackup({ lastBackup }: Facts, installation: Installation): Status {
  const { now, schedule, backupFolder, hasBackupCopies } = installation;
  const plan = schedule.on
    ? `每天 ${String(schedule.hour).padStart(2, '0')}:00 自动备份到 ${backupFolder}`
    : '没有开启定时备份';
  if (lastBackup === null) return { isDone: false, text: `还没有备份过；${plan}` };
  const days = Math.floor((now.getTime() - lastBackup.getTime()) / DAY_MS);
  const last = days === 0 ? '最近一天内备份过' : `最近一次备份是 ${days} 天前`;
  const advice = hasBackupCopies
    ? '另有一份在 S3'
    : '备份与网站在同一台机器上，请定期另存一份，或设置 BACKUP_S3_ENDPOINT 等几项';
  return { isDone: schedule.on && days < BACKUP_DAYS, text: `${last}；${plan}。${advice}` };
}

function checkAdminEmail({ hasAdminEmail }: Facts, { isMailConfigured }: Installation): Status {
  if (hasAdminEmail) return { isDone: true, text: '管理员绑定了邮箱，忘记密码时可以自己找回' };
  const text = isMailConfigured
    ? '管理员还没有绑定邮箱，忘记密码时只能用命令行重设'
    : '先配置好邮件，再绑定管理员的邮箱，忘记密码时才能自己找回';
  return { isDone: false, text };
}

/** Checks every entry against the data of its part. */
export function checkEntries(facts: Facts, installation: Installation): Record<ChecklistEntryName, Status> {
  const { site, categories, hasEssay } = facts;
  const { defaultCategories, isMailConfigured, isMailTested, keyFile } = installation;
  const isDefault = categories.join('\n') === defaultCategories.join('\n');
  return {
    title: doneIf(site.title !== undefined, `站名是「${site.title}」`, '还在用默认的站名和介绍'),
    contact: doneIf(
      Boolean(site.email),
      `页脚的联系邮箱是 ${site.email}`,
      '读者遇到问题时，会按页脚的联系邮箱找到你',
    ),
    icp: doneIf(
      Boolean(site.icp),
      `页脚显示 ${site.icp}`,
      '服务器在中国大陆时，页脚须有 ICP 备案号；在别处可以跳过',
    ),
    adminEmail: checkAdminEmail(facts, installation),
    mail: doneIf(
      isMailConfigured && isMailTested,
      '邮件已配置，测试邮件也发出去了',
      isMailConfigured
        ? '邮件已配置，还没有测试过：发一封测试邮件看看'
        : '没有配置邮件（SMTP_URL），注册和找回密码的验证码发不出去',
    ),
    backup: checkBackup(facts, installation),
    secretKey: {
      isDone: false,
      text: `数据库里的机密用它加密，备份里没有它，丢了就解不开。请把 ${keyFile ?? '环境变量 SECRET_KEY'} 另存到别的机器`,
    },
    categories: doneIf(
      !isDefault && categories.length > 0,
      `现有 ${categories.length} 个分类：${categories.join('、')}`,
      categories.length === 0
        ? '没有分类，文章无处可放'
        : `还是默认的分类：${categories.join('、')}；合用的话可以跳过`,
    ),
    essay: doneIf(hasEssay, '已有文章上架', '写下并上架第一篇文章，看看读者见到的样子'),
  };
}
