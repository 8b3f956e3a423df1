import type { Backup } from '@mozhan/contract/backups.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes, formatDateTime, orDash } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { Facts } from '#admin/ui/facts.tsx';
import styles from './backup.module.css';
import { filesText } from './labels.tsx';

const count = (number: number): string => number.toLocaleString('zh-CN');

export function BackupDetail({ backup }: { backup: Backup }) {
  const { name, contents, message, status, finishedAt, copiedAt, copyError, isHere } = backup;
  const { api } = useApp();
  const { data: plan } = useQuery(call(api, 'GET core/sys/backup/schedule'));
  const isWaitingForCopy =
    status === 'done' &&
    isHere &&
    copiedAt === null &&
    copyError === '' &&
    plan !== undefined &&
    plan.copiesTo !== null;
  return (
    <div className={styles.detail}>
      <Facts
        facts={[
          ['文件名', name === null ? '-' : <code key="name">{name}</code>],
          ['完成时间', finishedAt === null ? '-' : formatDateTime(finishedAt)],
          status === 'failed' ? ['原因', orDash(message)] : null,
          copiedAt === null ? null : ['复制到 S3', formatDateTime(copiedAt)],
          isWaitingForCopy ? ['复制到 S3', '还没有，通常在一两分钟内'] : null,
          copyError === '' ? null : ['没有复制到 S3', copyError],
          contents === null ? null : ['数据', `${contents.tables} 张表，${count(contents.rows)} 行`],
          contents === null ? null : ['待办任务', `${count(contents.jobs)} 个（待发的邮件等）`],
          contents === null
            ? null
            : [
                '文件',
                contents.files === 0
                  ? filesText(backup)
                  : `${filesText(backup)}，${formatBytes(contents.fileBytes)}`,
              ],
          contents === null ? null : ['版本', `墨栈 ${contents.version}，PostgreSQL ${contents.postgres}`],
        ]}
      />
      {contents === null || contents.missingCount === 0 ? null : (
        <div>
          <p>有 {count(contents.missingCount)} 个文件有记录，却不在或已损坏，备份里没有：</p>
          <ul>
            {contents.missing.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
