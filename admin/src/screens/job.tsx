import type { Job } from '@mozhan/contract/jobs.ts';
import { JobDetail } from '#admin/features/job/detail.tsx';
import { jobNames, nameOfJob, scheduleText } from '#admin/features/job/labels.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { ago, line, tag, text, time } from '#admin/ui/columns.tsx';
import { type Labels, optionsOf } from '#admin/ui/labels.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged, unpagedFrom } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';

const tabs = [
  { key: 'queue', label: '任务', to: '/job' },
  { key: 'schedule', label: '定时', to: '/job?tab=schedule' },
];

const states: Labels<Job['state']> = {
  waiting: { label: '等待', color: 'default' },
  running: { label: '正在运行', color: 'processing' },
  failed: { label: '不再重试', color: 'error' },
};

const isIdle = ({ state }: Job): boolean => state !== 'running';

const Queue = () => (
  <ResourceScreen
    name="job"
    title="任务"
    intro="在后台做的事：发邮件、定时上架、整理数据；做完的不再列出"
    list={paged('GET core/sys/job/')}
    columns={[
      { key: 'name', title: '任务', text: (row) => nameOfJob(row.name) },
      tag('state', '状态', states),
      { key: 'attempts', title: '已试', text: (row) => `${row.attempts} / ${row.maxAttempts} 次` },
      ago('runAt', '运行时间'),
      line('lastError', '最近一次失败'),
      time('createdAt', '加入时间'),
      { key: 'code', title: '代号', text: (row) => row.name, hidden: true },
      text('id', '编号', { hidden: true }),
    ]}
    filters={[
      { name: 'state', label: '状态', options: optionsOf(states) },
      { name: 'name', label: '任务', options: optionsOf(jobNames) },
    ]}
    expanded={(row) => <JobDetail job={row} />}
    rowActions={[
      {
        label: ({ state }) => (state === 'failed' ? '重试' : '现在运行'),
        permission: 'job:update',
        when: isIdle,
        run: (api, { id }) => api('PUT core/sys/job/', { id }),
        done: ({ name }) => `「${nameOfJob(name)}」马上运行`,
        bulk: { label: () => '重试', verb: '重试' },
      },
    ]}
    remove={{
      permission: 'job:remove',
      when: isIdle,
      run: (api, { id }) => api('DELETE core/sys/job/', { id }),
      text: '它要做的事不会再做，例如邮件不会发出。',
      bulkText: '它们要做的事不会再做。',
    }}
  >
    <LinkTabs label="内容" tabs={tabs} selected="queue" />
  </ResourceScreen>
);

const Schedule = () => (
  <ResourceScreen
    name="schedule"
    title="任务"
    intro="到时间自己运行的"
    noun="定时任务"
    list={unpagedFrom('GET core/sys/job/', ({ schedule }) => schedule, { pageSize: 1 })}
    columns={[
      { key: 'name', title: '任务', text: (row) => nameOfJob(row.name) },
      { key: 'match', title: '何时', text: (row) => scheduleText(row.match) },
      {
        key: 'lastRun',
        title: '上次运行',
        text: (row) => (row.lastRun === null ? '还没有' : formatDateTime(row.lastRun)),
        show: (row) => (row.lastRun === null ? '还没有' : <TimeAgo at={row.lastRun} />),
      },
      { key: 'code', title: '代号', text: (row) => row.name, hidden: true },
    ]}
  >
    <LinkTabs label="内容" tabs={tabs} selected="schedule" />
  </ResourceScreen>
);

export const Page = () => (useLocation().search.get('tab') === 'schedule' ? <Schedule /> : <Queue />);
