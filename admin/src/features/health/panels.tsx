import type { Health } from '@mozhan/contract/health.ts';
import type { ReactNode } from 'react';
import { formatBytes } from '#admin/lib/format.ts';
import { formatUptime } from '#admin/lib/health-labels.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { Facts } from '#admin/ui/facts.tsx';
import { Card } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import styles from './health.module.css';

type PanelFacts = (readonly [name: string, value: ReactNode] | null)[];

function Panel({
  title,
  facts,
  children,
}: {
  title: string;
  facts: PanelFacts | null;
  children?: ReactNode;
}) {
  return (
    <Card>
      <h2>{title}</h2>
      {facts === null ? <p>没能读取</p> : <Facts facts={facts} />}
      {children}
    </Card>
  );
}

const count = (value: number): string => value.toLocaleString('zh-CN');

const databaseFacts = ({
  version,
  embedded,
  bytes,
  ...rest
}: NonNullable<Health['database']>): PanelFacts => [
  ['版本', `PostgreSQL ${version}${embedded ? '（自带）' : '（外部）'}`],
  ['大小', formatBytes(bytes)],
  ['连接', `${rest.connections} / ${rest.maxConnections}`],
  ['响应时间', `${rest.latencyMs} 毫秒`],
];

const storageFacts = ({ kind, where, freeBytes, bytes }: NonNullable<Health['storage']>): PanelFacts => [
  ['放在', kind === 's3' ? '对象存储' : '本机磁盘'],
  [
    '位置',
    <code key="where" className={styles.where}>
      {where}
    </code>,
  ],
  ['上传的文件', formatBytes(bytes)],
  freeBytes === null ? null : ['剩余空间', formatBytes(freeBytes)],
];

const queueFacts = ({ waiting, running, failed, oldest }: NonNullable<Health['queue']>): PanelFacts => [
  ['等待', count(waiting)],
  ['正在运行', count(running)],
  ['不再重试', count(failed)],
  ['最久的等待', oldest === null ? '没有积压' : <TimeAgo key="at" at={oldest} />],
];

/** Figures of each part; a part that could not be queried displays an error. */
export function Panels({ health }: { health: Health }) {
  const can = useCan();
  const { database, redis, storage, queue, disk, process, live, mail, codes, backup } = health;
  return (
    <div className={styles.panels}>
      <Panel
        title="程序"
        facts={[
          ['版本', `墨栈 ${process.version}`],
          process.update && [
            '最近更新',
            <span key="update">
              由 {process.update.from}，<TimeAgo at={process.update.at} />
            </span>,
          ],
          ['Node', process.node],
          ['已运行', formatUptime(process.uptime)],
          ['内存', formatBytes(process.memoryBytes)],
          ['进程', count(process.workers)],
        ]}
      />
      <Panel title="数据库" facts={database && databaseFacts(database)} />
      <Panel title="任务" facts={queue && queueFacts(queue)}>
        {can('job:list') ? (
          <Link to="/job" className={styles.more}>
            查看任务
          </Link>
        ) : null}
      </Panel>
      <Panel title="文件" facts={storage && storageFacts(storage)} />
      <Panel
        title="磁盘"
        facts={
          disk && [
            ['剩余', formatBytes(disk.freeBytes)],
            ['总共', formatBytes(disk.totalBytes)],
          ]
        }
      />
      <Panel
        title="连接与邮件"
        facts={[
          ['实时连接', live === null ? '没能读取' : count(live.connections)],
          redis && ['Redis', redis.latencyMs === null ? '没有响应' : `${redis.latencyMs} 毫秒`],
          ['邮件', mail.configured ? '已配置' : '没有配置'],
          codes?.sms ? ['短信验证码', `今天 ${count(codes.sms.sent)} / ${count(codes.sms.budget)}`] : null,
          codes?.mail ? ['邮件验证码', `今天 ${count(codes.mail.sent)} / ${count(codes.mail.budget)}`] : null,
          backup && ['最近备份', backup.last === null ? '还没有' : <TimeAgo key="at" at={backup.last} />],
        ]}
      />
    </div>
  );
}
