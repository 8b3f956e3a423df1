import type { Health, HealthState } from '@mozhan/contract/health.ts';

export const stateLabels: Record<HealthState, string> = { ok: '正常', warn: '留意', bad: '有问题' };

export const partLabels: Record<Health['checks'][number]['part'], string> = {
  database: '数据库',
  migrations: '数据库结构',
  redis: 'Redis',
  storage: '文件',
  queue: '任务',
  disk: '磁盘',
  memory: '内存',
  live: '实时连接',
  mail: '邮件',
  codes: '验证码',
  backup: '备份',
};

/** 3 天 4 小时 */
export function formatUptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} 天 ${hours} 小时`;
  return hours > 0 ? `${hours} 小时 ${minutes % 60} 分钟` : `${minutes} 分钟`;
}
