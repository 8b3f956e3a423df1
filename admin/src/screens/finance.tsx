import { SyncOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { ReconcileForm } from '#admin/features/finance/reconcile-form.tsx';
import { ReconciliationDetail, reconciliationColumns } from '#admin/features/finance/reconciliation.tsx';
import { RevenuePanel } from '#admin/features/finance/revenue.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDate } from '#admin/lib/format.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { Can } from '#admin/ui/can.tsx';
import { dayFilter } from '#admin/ui/filters.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { Screen } from '#admin/ui/screen.tsx';

const presets = [7, 30, 90, 365];
const DEFAULT_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

const TITLE = '对账与收入';
const tabs = [
  { key: 'revenue', label: '收入', to: '/finance' },
  { key: 'reconciliation', label: '对账', to: '/finance?tab=reconciliation' },
];

function Revenue() {
  const { router } = useApp();
  const requested = useLocation().search.get('days');
  const days = presets.find((each) => String(each) === requested) ?? DEFAULT_DAYS;
  return (
    <Screen
      title={TITLE}
      intro="流水是付清的订单，不含充值；平台收入是其中的平台服务费与会员费"
      actions={
        <Select
          aria-label="时间"
          value={days}
          options={presets.map((preset) => ({
            value: preset,
            label: preset === 365 ? '近一年' : `近 ${preset} 天`,
          }))}
          onChange={(preset) =>
            void router.navigate(preset === DEFAULT_DAYS ? '/finance' : `/finance?days=${preset}`, {
              sameScreen: true,
            })
          }
        />
      }
    >
      <LinkTabs label="内容" tabs={tabs} selected="revenue" />
      <RevenuePanel days={days} />
    </Screen>
  );
}

function Reconciliations() {
  const [isOpen, setOpen] = useState(false);
  const yesterday = formatDate(new Date(Date.now() - DAY_MS).toISOString());
  return (
    <ResourceScreen
      name="reconciliation"
      title={TITLE}
      intro="每天比对账本、订单与支付方的对账单，新的在前"
      noun="对账"
      actions={
        <Can permission="finance:update">
          <Button icon={<SyncOutlined aria-hidden />} onClick={() => setOpen(true)}>
            重新对账
          </Button>
        </Can>
      }
      list={paged('GET core/sys/finance/reconciliation')}
      columns={reconciliationColumns}
      filters={[dayFilter('day', '日期')]}
      expanded={(row) => <ReconciliationDetail report={row} />}
      rowActions={[
        {
          label: '重新对账',
          permission: 'finance:update',
          panel: ({ subject, onClose }) => <ReconcileForm day={subject?.day} onClose={onClose} />,
        },
      ]}
    >
      <LinkTabs label="内容" tabs={tabs} selected="reconciliation" />
      <ReconcileForm day={isOpen ? yesterday : undefined} onClose={() => setOpen(false)} />
    </ResourceScreen>
  );
}

export const Page = () =>
  useLocation().search.get('tab') === 'reconciliation' ? <Reconciliations /> : <Revenue />;
