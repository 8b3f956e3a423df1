import type { Client } from '@mozhan/contract/client.ts';
import type { Job } from '@mozhan/contract/jobs.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { JobDetail, jobColumns, scheduleColumns } from '#admin/features/job/columns.tsx';
import { nameOfJob, nameOptions, stateOptions } from '#admin/features/job/words.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatch } from '#admin/lib/batch.tsx';
import { usePlace } from '#admin/lib/navigation.tsx';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm, useConfirmRemove } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { WholeTable } from '#admin/ui/whole-table.tsx';

const tabs = [
  { key: 'queue', label: '任务', to: '/job' },
  { key: 'schedule', label: '定时', to: '/job?tab=schedule' },
];

const filters: Filter[] = [
  { name: 'state', label: '状态', options: stateOptions },
  { name: 'name', label: '任务', options: nameOptions },
];

const WHAT_IS_LOST = '它要做的事不会再做，例如邮件不会发出。';
const nameOf = (row: Job): string => nameOfJob(row.name);
const retry = (api: Client, { id }: Job) => api('PUT core/sys/job/', { id });
const remove = (api: Client, { id }: Job) => api('DELETE core/sys/job/', { id });

function Queue() {
  const can = useCan();
  const act = useAct();
  const batch = useBatch();
  const confirm = useConfirm();
  const confirmRemove = useConfirmRemove();
  const [mayRetry, mayRemove] = [can('job:update'), can('job:remove')];

  async function removeAll(rows: Job[], choose: (left?: Job[]) => void): Promise<void> {
    const title = `删除这 ${rows.length} 个任务？`;
    if (!(await confirm({ title, text: '它们要做的事不会再做。', action: '删除', danger: true }))) return;
    choose(await batch({ verb: '删除', rows, nameOf, work: remove }));
  }

  return (
    <DataTable
      name="job"
      title="任务"
      route="GET core/sys/job/"
      columns={jobColumns}
      filters={filters}
      expanded={(row) => <JobDetail job={row} />}
      actions={(row) => (
        <RowActions
          name={nameOf(row)}
          actions={[
            mayRetry &&
              row.state !== 'running' && {
                label: row.state === 'failed' ? '重试' : '现在运行',
                onClick: () => void act((api) => retry(api, row), `「${nameOf(row)}」马上运行`),
              },
            mayRemove &&
              row.state !== 'running' && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '任务',
                    name: nameOf(row),
                    text: WHAT_IS_LOST,
                    work: (api) => remove(api, row),
                  }),
              },
          ]}
        />
      )}
      batch={(rows, choose) => (
        <>
          {mayRetry ? (
            <Button
              size="small"
              onClick={async () => choose(await batch({ verb: '重试', rows, nameOf, work: retry }))}
            >
              重试
            </Button>
          ) : null}
          {mayRemove ? (
            <Button size="small" danger onClick={() => void removeAll(rows, choose)}>
              删除
            </Button>
          ) : null}
        </>
      )}
    />
  );
}

function Schedule() {
  const { api } = useApp();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/sys/job/', { pageSize: 1 }));
  return (
    <WholeTable
      name="schedule"
      title="定时任务"
      columns={scheduleColumns}
      rows={data?.schedule}
      busy={isFetching}
      error={error}
      onRefresh={() => void refetch()}
      place={['tab']}
    />
  );
}

export function Page() {
  const isSchedule = usePlace().search.get('tab') === 'schedule';
  return (
    <Screen
      title="任务"
      intro={isSchedule ? '到时间自己运行的' : '在后台做的事：发邮件、定时上架、整理数据；做完的不再列出'}
    >
      <LinkTabs label="内容" tabs={tabs} selected={isSchedule ? 'schedule' : 'queue'} />
      {isSchedule ? <Schedule /> : <Queue />}
    </Screen>
  );
}
