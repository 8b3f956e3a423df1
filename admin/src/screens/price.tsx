import { FLAG } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { TierKind } from '@mozhan/contract/prices.ts';
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from 'antd';
import { RulesCard } from '#admin/features/price/rules-card.tsx';
import { tierKinds } from '#admin/features/price/tiers.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { useLocation } from '#admin/lib/navigation.tsx';
import { call } from '#admin/lib/queries.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { unpagedFrom } from '#admin/ui/lists.ts';
import { NO_AMOUNT } from '#admin/ui/money-input.tsx';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';
import { Card, Screen } from '#admin/ui/screen.tsx';

const kinds: TierKind[] = ['read', 'reward', 'recharge'];
const tabs = kinds.map((kind) => ({
  key: kind,
  label: `${tierKinds[kind].label}的金额`,
  to: kind === 'read' ? '/price' : `/price?kind=${kind}`,
}));

const Tiers = ({ kind }: { kind: TierKind }) => (
  <ResourceTable
    name="tier"
    noun="金额"
    title={`${tierKinds[kind].label}的金额`}
    list={unpagedFrom('GET core/fina/price/', ({ tiers }) => tiers.filter((tier) => tier.kind === kind))}
    nameOf={({ amount }) => formatYuan(amount)}
    columns={[
      {
        key: 'amount',
        title: '金额（元）',
        text: ({ amount }) => toYuan(amount),
        show: ({ amount }) => formatYuan(amount),
        by: ({ amount }) => amount,
      },
      'order',
      'enabled',
    ]}
    filters={[enabledFilter]}
    lead={tierKinds[kind].help}
    form={{
      title: (row) =>
        row === undefined ? `新增${tierKinds[kind].label}的金额` : `编辑 ${formatYuan(row.amount)}`,
      values: (row) => ({ amount: row?.amount ?? NO_AMOUNT, enabled: row?.enabled ?? FLAG.on }),
      fields: [
        { name: 'amount', kind: 'money', label: '金额', ...tierKinds[kind].bounds },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后不再供人选择' },
      ],
      codes: { TIER_TAKEN: 'amount' },
    }}
    create={{
      permission: 'price:create',
      label: '新增金额',
      run: (api, values) => api('POST core/fina/price/', { kind, ...values }),
      done: ({ amount }) => `已新增 ${formatYuan(amount)}`,
    }}
    update={{
      permission: 'price:update',
      run: (api, change) => api('PUT core/fina/price/', change),
      switched: ({ amount }, enabled) => `已${enabledText(enabled)} ${formatYuan(amount)}`,
    }}
    remove={{
      permission: 'price:remove',
      run: (api, { id }) => api('DELETE core/fina/price/', { id }),
      text: '不再供人选择，已有的订单不变。',
    }}
  />
);

export function Page() {
  const { api } = useApp();
  const requested = useLocation().search.get('kind');
  const kind = kinds.find((each) => each === requested) ?? 'read';
  const { data, error } = useQuery(call(api, 'GET core/fina/price/'));
  return (
    <Screen title="价格设置" intro="改动只对以后的订单有效，已有的订单不变">
      {data === undefined && error === null ? (
        <Card>
          <Skeleton active title={false} paragraph={{ rows: 4 }} />
        </Card>
      ) : null}
      {data === undefined ? null : <RulesCard prices={data} />}
      <div>
        <LinkTabs label="用途" tabs={tabs} selected={kind} />
        <Tiers key={kind} kind={kind} />
      </div>
    </Screen>
  );
}
