import { PlusOutlined } from '@ant-design/icons';
import type { Flag } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { Tier, TierKind } from '@mozhan/contract/prices.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { RulesCard } from '#admin/features/price/rules-card.tsx';
import { TierForm } from '#admin/features/price/tier-form.tsx';
import { tierHelp, tierKinds } from '#admin/features/price/tiers.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { usePlace } from '#admin/lib/navigation.tsx';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledFilter } from '#admin/ui/enabled-filter.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { LinkTabs } from '#admin/ui/link-tabs.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import { Card, Screen } from '#admin/ui/screen.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { WholeTable } from '#admin/ui/whole-table.tsx';

const kinds: TierKind[] = ['read', 'reward', 'recharge'];
const tabs = kinds.map((kind) => ({
  key: kind,
  label: `${tierKinds[kind]}的金额`,
  to: kind === 'read' ? '/price' : `/price?kind=${kind}`,
}));

const nameOf = (tier: Tier): string => formatYuan(tier.amount);

export function Page() {
  const { api } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const wanted = usePlace().search.get('kind');
  const kind = kinds.find((each) => each === wanted) ?? 'read';
  const [subject, setSubject] = useState<Tier | 'new'>();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/fina/price/'));
  const rows = data?.tiers.filter((tier) => tier.kind === kind);
  const mayUpdate = can('price:update');

  const setEnabled = (row: Tier, enabled: Flag) =>
    act(
      (api) => api('PUT core/fina/price/', { id: row.id, enabled }),
      `已${enabledText(enabled)} ${nameOf(row)}`,
    );

  const move = (row: Tier, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/fina/price/', change);
    }, '已调整顺序');

  const columns: Column<Tier>[] = [
    {
      key: 'amount',
      title: '金额（元）',
      text: (row) => toYuan(row.amount),
      show: nameOf,
      by: (row) => row.amount,
    },
    sortColumn({ nameOf, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf, mayUpdate, setEnabled }),
  ];

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
        <WholeTable<Tier>
          key={kind}
          name="tier"
          title={`${tierKinds[kind]}的金额`}
          place={['kind']}
          columns={columns}
          rows={rows}
          busy={isFetching}
          error={error}
          onRefresh={() => void refetch()}
          lead={tierHelp[kind]}
          filters={[enabledFilter]}
          batch={(rows, choose) => (
            <BatchButtons
              kind="金额"
              rows={rows}
              choose={choose}
              nameOf={nameOf}
              setEnabled={
                mayUpdate ? (api, { id }, enabled) => api('PUT core/fina/price/', { id, enabled }) : undefined
              }
              remove={
                can('price:remove') ? (api, { id }) => api('DELETE core/fina/price/', { id }) : undefined
              }
              removeText="不再供人选择，已有的订单不变。"
            />
          )}
          extra={
            <Can permission="price:create">
              <Button icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
                新增金额
              </Button>
            </Can>
          }
          actions={(row) => (
            <RowActions
              name={nameOf(row)}
              actions={[
                mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
                can('price:remove') && {
                  label: '删除',
                  danger: true,
                  onClick: () =>
                    void confirmRemove({
                      kind: '金额',
                      name: nameOf(row),
                      text: '不再供人选择，已有的订单不变。',
                      work: (api) => api('DELETE core/fina/price/', { id: row.id }),
                    }),
                },
              ]}
            />
          )}
        />
      </div>
      <TierForm kind={kind} subject={subject} onClose={() => setSubject(undefined)} />
    </Screen>
  );
}
