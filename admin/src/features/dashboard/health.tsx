import type { Health } from '@mozhan/contract/health.ts';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { formatUptime, partLabels } from '#admin/lib/health-labels.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { LoadError, RefreshError } from '#admin/ui/screen.tsx';
import { StateTag } from '#admin/ui/state-tag.tsx';
import styles from './dashboard.module.css';

/** Only while the tab is visible. */
const REFRESH_MS = 15_000;

const count = (value: number): string => value.toLocaleString('zh-CN');

function factsOf({ database, storage, queue, disk, process, live }: Health): [string, string][] {
  const facts: [string, string | null][] = [
    ['数据库', database && formatBytes(database.bytes)],
    ['响应时间', database && `${database.latencyMs} 毫秒`],
    ['文件', storage && formatBytes(storage.bytes)],
    ['磁盘剩余', disk && formatBytes(disk.freeBytes)],
    ['等待的任务', queue && count(queue.waiting)],
    ['失败的任务', queue && count(queue.failed)],
    ['在线连接', live && count(live.connections)],
    ['内存', formatBytes(process.memoryBytes)],
    ['已运行', formatUptime(process.uptime)],
  ];
  return facts.map(([name, value]) => [name, value ?? '没能读取']);
}

/** Failed health checks and key figures of the server. */
export function HealthPanel() {
  const { api } = useApp();
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/health/'),
    refetchInterval: REFRESH_MS,
  });
  const wrong = data?.checks.filter(({ state }) => state !== 'ok') ?? [];
  return (
    <section className={styles.panel} aria-label="系统状态">
      <div className={styles.head}>
        <h2>系统状态</h2>
        <Link to="/health" aria-label="系统状态，查看全部">
          查看全部
        </Link>
      </div>
      {data === undefined && error !== null ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : null}
      {data !== undefined && error !== null ? <RefreshError error={error} /> : null}
      {data === undefined && error === null ? (
        <Skeleton active title={false} paragraph={{ rows: 6 }} />
      ) : null}
      {data === undefined ? null : (
        <>
          <ul className={styles.checks}>
            {wrong.length === 0 ? (
              <li>
                <StateTag state="ok" />
                <span>各项检查都正常</span>
              </li>
            ) : (
              wrong.map(({ part, state, text }) => (
                <li key={part}>
                  <StateTag state={state} />
                  <span>
                    {partLabels[part]}：{text}
                  </span>
                </li>
              ))
            )}
          </ul>
          <dl className={styles.facts}>
            {factsOf(data).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}
