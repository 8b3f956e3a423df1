import { SyncOutlined } from '@ant-design/icons';
import type { Reconciliation } from '@mozhan/contract/finance.ts';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { ReconcileForm } from '#admin/features/finance/reconcile-form.tsx';
import { ReconciliationDetail, reconciliationColumns } from '#admin/features/finance/reconciliation.tsx';
import { RevenuePanel } from '#admin/features/finance/revenue.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate } from '#admin/lib/format.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { useCan } from '#admin/lib/viewer.ts';
import { Can } from '#admin/ui/can.tsx';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { DayInput } from '#admin/ui/day-input.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';

const spans = [7, 30, 90, 365];
const DEFAULT_SPAN = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

const tabs = [
  { key: 'revenue', label: '收入', to: '/finance' },
  { key: 'reconciliation', label: '对账', to: '/finance?tab=reconciliation' },
];
const spanOptions = spans.map((days) => ({
  value: days,
  label: days === 365 ? '近一年' : `近 ${days} 天`,
}));

const filters: Filter[] = [
  { name: 'day', label: '日期', render: (control) => <DayInput label="日期" prefix="日期" {...control} /> },
];

export function Page() {
  const mayUpdate = useCan()('finance:update');
  const { router } = useApp();
  const { search } = usePlace();
  const [day, setDay] = useState<string>();
  const yesterday = formatDate(new Date(Date.now() - DAY_MS).toISOString());
  const isReconciling = search.get('tab') === 'reconciliation';
  const days = spans.find((each) => String(each) === search.get('days')) ?? DEFAULT_SPAN;

  return (
    <Screen
      title="对账与收入"
      intro={
        isReconciling
          ? '每天比对账本、订单与支付方的对账单，新的在前'
          : '流水是付清的订单，不含充值；平台收入是其中的抽成与会员费'
      }
      actions={
        isReconciling ? (
          <Can permission="finance:update">
            <Button icon={<SyncOutlined aria-hidden />} onClick={() => setDay(yesterday)}>
              重新对账
            </Button>
          </Can>
        ) : (
          <Select
            aria-label="时间"
            value={days}
            options={spanOptions}
            onChange={(days) =>
              void router.navigate(days === DEFAULT_SPAN ? '/finance' : `/finance?days=${days}`, {
                keep: true,
              })
            }
          />
        )
      }
    >
      <LinkTabs label="内容" tabs={tabs} selected={isReconciling ? 'reconciliation' : 'revenue'} />
      {isReconciling ? (
        <DataTable
          name="reconciliation"
          title="对账"
          route="GET core/sys/finance/reconciliation"
          columns={reconciliationColumns}
          filters={filters}
          expanded={(row) => <ReconciliationDetail report={row} />}
          {...(mayUpdate && {
            actions: (row: Reconciliation) => (
              <RowActions name={row.day} actions={[{ label: '重新对账', onClick: () => setDay(row.day) }]} />
            ),
          })}
        />
      ) : (
        <RevenuePanel days={days} />
      )}
      <ReconcileForm day={day} onClose={() => setDay(undefined)} />
    </Screen>
  );
}
