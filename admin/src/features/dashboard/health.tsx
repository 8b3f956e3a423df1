import type { Health } from '@mozhan/contract/health.ts';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { formatUptime, partLabels } from '#admin/lib/health-labels.ts';
import { call } from '#admin/lib/queries.ts';
import { StateTag } from '#admin/ui/state-tag.tsx';
import styles from './dashboard.module.css';
import { QueryPanel } from './query-panel.tsx';

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
  const query = useQuery({ ...call(api, 'GET core/sys/health/'), refetchInterval: REFRESH_MS });
  return (
    <QueryPanel title="系统状态" to="/health" query={query}>
      {(health) => (
        <>
          <Checks failed={health.checks.filter(({ state }) => state !== 'ok')} />
          <dl className={styles.facts}>
            {factsOf(health).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </QueryPanel>
  );
}

function Checks({ failed }: { failed: Health['checks'] }) {
  return (
    <ul className={styles.checks}>
      {failed.length === 0 ? (
        <li>
          <StateTag state="ok" />
          <span>各项检查都正常</span>
        </li>
      ) : (
        failed.map(({ part, state, text }) => (
          <li key={part}>
            <StateTag state={state} />
            <span>
              {partLabels[part]}：{text}
            </span>
          </li>
        ))
      )}
    </ul>
  );
}
