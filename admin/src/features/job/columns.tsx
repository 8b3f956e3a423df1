import type { Job, JobState, ScheduledJob } from '@mozhan/contract/jobs.ts';
import { Tag } from 'antd';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { Facts } from '#admin/ui/facts.tsx';
import { Line } from '#admin/ui/line.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import styles from './job.module.css';
import { nameOfJob, stateNames, timesOf } from './words.ts';

const colours: Record<JobState, string> = { waiting: 'default', running: 'processing', failed: 'error' };

export const jobColumns: Column<Job>[] = [
  { key: 'name', title: '任务', text: (row) => nameOfJob(row.name) },
  {
    key: 'state',
    title: '状态',
    text: (row) => stateNames[row.state],
    show: (row) => <Tag color={colours[row.state]}>{stateNames[row.state]}</Tag>,
  },
  { key: 'attempts', title: '已试', text: (row) => `${row.attempts} / ${row.maxAttempts} 次` },
  {
    key: 'runAt',
    title: '运行时间',
    text: (row) => formatDateTime(row.runAt),
    show: (row) => <TimeAgo at={row.runAt} />,
  },
  {
    key: 'lastError',
    title: '最近一次失败',
    text: (row) => orDash(row.lastError),
    show: (row) => <Line text={orDash(row.lastError)} />,
  },
  { key: 'createdAt', title: '加入时间', text: (row) => formatDateTime(row.createdAt) },
  { key: 'code', title: '代号', text: (row) => row.name, hidden: true },
  { key: 'id', title: '编号', text: (row) => row.id, hidden: true },
];

export const scheduleColumns: Column<ScheduledJob>[] = [
  { key: 'name', title: '任务', text: (row) => nameOfJob(row.name) },
  { key: 'match', title: '何时', text: (row) => timesOf(row.match) },
  {
    key: 'lastRun',
    title: '上次运行',
    text: (row) => (row.lastRun === null ? '还没有' : formatDateTime(row.lastRun)),
    show: (row) => (row.lastRun === null ? '还没有' : <TimeAgo at={row.lastRun} />),
  },
  { key: 'code', title: '代号', text: (row) => row.name, hidden: true },
];

/** What it is about, and why it failed last. */
export function JobDetail({ job }: { job: Job }) {
  return (
    <div className={styles.detail}>
      {job.payload.length === 0 ? (
        <span>这个任务不带数据。</span>
      ) : (
        <Facts facts={job.payload.map(({ name, value }) => [name, value] as const)} />
      )}
      {job.lastError === null ? null : <p className={styles.error}>{job.lastError}</p>}
    </div>
  );
}
