import type { Backup } from '@mozhan/contract/backups.ts';
import { Progress, Tag } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import type { Label } from '#admin/ui/labels.tsx';
import styles from './backup.module.css';

export const sourceLabels: Record<Backup['madeBy'], string> = {
  manual: '手动',
  scheduled: '定时',
  command: '命令行',
  update: '更新前',
};
export const statusLabels: Record<Backup['status'], Label> = {
  waiting: { label: '等待中', color: 'default' },
  running: { label: '进行中', color: 'processing' },
  done: { label: '完成', color: 'success' },
  failed: { label: '失败', color: 'error' },
};

export const sourceText = ({ madeBy, by }: Backup): string =>
  by === null ? sourceLabels[madeBy] : `${sourceLabels[madeBy]} · ${by}`;

export const isUnfinished = ({ status }: Backup): boolean => status === 'waiting' || status === 'running';

export const statusText = ({ status, progress, isHere }: Backup): string => {
  if (status === 'running') return `进行中 ${progress}%`;
  return status === 'done' && !isHere ? '文件不在' : statusLabels[status].label;
};

/** File name, or the start time while there is no file. */
export const nameOf = ({ name, createdAt }: Backup): string => name ?? formatDateTime(createdAt);

/** A backup before an update contains only the database, because an update does not touch files. */
export const filesText = ({ madeBy, contents }: Backup): string => {
  if (contents === null) return '-';
  return madeBy === 'update' ? '不含文件' : `${contents.files.toLocaleString('zh-CN')} 个文件`;
};

export const contentsText = (backup: Backup): string =>
  backup.contents === null ? '-' : `${backup.contents.rows.toLocaleString('zh-CN')} 行，${filesText(backup)}`;

export function StatusTag({ backup }: { backup: Backup }) {
  const { status, progress, message, isHere } = backup;
  if (status === 'running') {
    return (
      <div className={styles.running}>
        <Progress percent={progress} size="small" status="active" aria-label="备份进度" />
        <p>{message === '' ? '正在准备' : message}</p>
      </div>
    );
  }
  const isGone = status === 'done' && !isHere;
  return <Tag color={isGone ? 'warning' : statusLabels[status].color}>{statusText(backup)}</Tag>;
}
