import type { Client } from '@mozhan/contract/client.ts';
import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffApplication } from '@mozhan/contract/experts.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { ApplicationDetail } from '#admin/features/apply/detail.tsx';
import { nameOf, RefuseForm } from '#admin/features/apply/refuse-form.tsx';
import { StatusTag, statusOptions, statusText } from '#admin/features/apply/status.tsx';
import { useBatch } from '#admin/lib/batch.tsx';
import { formatDateTime, orDash } from '#admin/lib/format.ts';
import { useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { PersonLink } from '#admin/ui/person-link.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import type { Column } from '#admin/ui/use-columns.ts';

const filters: Filter[] = [
  {
    name: 'status',
    label: '状态',
    initial: String(APPLICATION_STATUS.waiting),
    options: [...statusOptions, { value: '', label: '全部' }],
  },
  ...dayFilters,
];

const columns: Column<StaffApplication>[] = [
  {
    key: 'user',
    title: '申请人',
    text: (row) => orDash(row.user?.displayName),
    show: (row) => <PersonLink user={row.user} />,
  },
  { key: 'realName', title: '姓名', text: (row) => row.realName },
  { key: 'field', title: '擅长领域', text: (row) => row.field },
  { key: 'contact', title: '联系方式', text: (row) => row.contact },
  { key: 'intro', title: '自我介绍', text: (row) => row.intro, hidden: true },
  { key: 'works', title: '代表作', text: (row) => orDash(row.works.join('、')), hidden: true },
  {
    key: 'status',
    title: '状态',
    text: (row) => statusText(row.status),
    show: (row) => <StatusTag status={row.status} />,
  },
  {
    key: 'createdAt',
    title: '申请时间',
    text: (row) => formatDateTime(row.createdAt),
    show: (row) => <TimeAgo at={row.createdAt} />,
    sort: 'createdAt',
  },
  { key: 'reason', title: '理由', text: (row) => orDash(row.reason), hidden: true },
  { key: 'decidedBy', title: '处理人', text: (row) => orDash(row.decidedBy?.displayName), hidden: true },
  {
    key: 'decidedAt',
    title: '处理时间',
    text: (row) => (row.decidedAt === null ? '-' : formatDateTime(row.decidedAt)),
    hidden: true,
  },
];

const APPROVED = '申请人成为作者，可以写文章，并会收到通知。';

type Choose = (left?: StaffApplication[]) => void;

interface Refusing {
  rows: StaffApplication[];
  /** Which ones stay chosen. */
  choose?: Choose;
}

export function Page() {
  const mayUpdate = useCan()('apply:update');
  const act = useAct();
  const confirm = useConfirm();
  const batch = useBatch();
  const [refusing, setRefusing] = useState<Refusing>();

  async function approve(row: StaffApplication): Promise<void> {
    const name = nameOf(row);
    if (!(await confirm({ title: `通过「${name}」的申请？`, text: APPROVED, action: '通过' }))) return;
    await act(
      (api) => api('PUT core/sys/apply/', { id: row.id, status: APPLICATION_STATUS.approved }),
      `「${name}」已是作者`,
    );
  }

  async function approveAll(rows: StaffApplication[], choose: Choose): Promise<void> {
    if (!(await confirm({ title: `通过这 ${rows.length} 份申请？`, text: APPROVED, action: '通过' }))) return;
    const work = (api: Client, { id }: StaffApplication) =>
      api('PUT core/sys/apply/', { id, status: APPLICATION_STATUS.approved });
    choose(await batch({ verb: '通过', rows, nameOf, work }));
  }

  return (
    <Screen title="专家申请" intro="读者申请成为作者；姓名与联系方式只用于核实，请勿外传">
      <DataTable
        name="apply"
        title="专家申请"
        route="GET core/sys/apply/"
        columns={columns}
        keyword="昵称、账号或姓名的开头"
        filters={filters}
        batch={(rows, choose) => {
          const waiting = rows.filter((row) => row.status === APPLICATION_STATUS.waiting);
          return mayUpdate && waiting.length > 0 ? (
            <>
              <Button size="small" onClick={() => void approveAll(waiting, choose)}>
                通过
              </Button>
              <Button size="small" danger onClick={() => setRefusing({ rows: waiting, choose })}>
                不通过
              </Button>
            </>
          ) : null;
        }}
        expanded={(row) => <ApplicationDetail application={row} />}
        actions={(row) => (
          <RowActions
            name={nameOf(row)}
            actions={[
              mayUpdate &&
                row.status === APPLICATION_STATUS.waiting && {
                  label: '通过',
                  onClick: () => void approve(row),
                },
              mayUpdate &&
                row.status === APPLICATION_STATUS.waiting && {
                  label: '不通过',
                  danger: true,
                  onClick: () => setRefusing({ rows: [row] }),
                },
            ]}
          />
        )}
      />
      <RefuseForm
        subject={refusing?.rows}
        onClose={() => setRefusing(undefined)}
        onLeft={(left) => refusing?.choose?.(left)}
      />
    </Screen>
  );
}
