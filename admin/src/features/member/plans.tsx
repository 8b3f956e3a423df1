import { PlusOutlined } from '@ant-design/icons';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import type { Plan } from '@mozhan/contract/members.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledFilter } from '#admin/ui/enabled-filter.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { WholeTable } from '#admin/ui/whole-table.tsx';
import { PlanForm } from './plan-form.tsx';

/** What membership costs, in the order that readers see. */
export function Plans() {
  const { api } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<Plan | 'new'>();
  const { data, error, isFetching, refetch } = useQuery(call(api, 'GET core/member/', { all: FLAG.on }));
  const rows = data?.plans;
  const mayUpdate = can('plan:update');

  const setEnabled = (row: Plan, enabled: Flag) =>
    act(
      (api) => api('PUT core/member/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.name}」`,
    );

  const move = (row: Plan, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/member/', change);
    }, '已调整顺序');

  const columns: Column<Plan>[] = [
    { key: 'name', title: '名称', text: (row) => row.name },
    { key: 'days', title: '天数', align: 'end', text: (row) => String(row.days), by: (row) => row.days },
    {
      key: 'price',
      title: '价格（元）',
      align: 'end',
      text: (row) => toYuan(row.price),
      show: (row) => formatYuan(row.price),
      by: (row) => row.price,
    },
    sortColumn({ nameOf: (row) => row.name, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf: (row) => row.name, mayUpdate, setEnabled }),
  ];

  return (
    <>
      <WholeTable<Plan>
        name="plan"
        title="会员方案"
        place={['tab']}
        keyword="搜索名称"
        filters={[enabledFilter]}
        batch={(chosen, choose) => (
          <BatchButtons
            kind="会员方案"
            rows={chosen}
            choose={choose}
            nameOf={(row) => row.name}
            setEnabled={
              mayUpdate ? (api, { id }, enabled) => api('PUT core/member/', { id, enabled }) : undefined
            }
            remove={can('plan:remove') ? (api, { id }) => api('DELETE core/member/', { id }) : undefined}
            removeText="不能再买；已有的订单与会员期不变。"
          />
        )}
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        extra={
          <Can permission="plan:create">
            <Button icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
              新建方案
            </Button>
          </Can>
        }
        actions={(row) => (
          <RowActions
            name={row.name}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              can('plan:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '会员方案',
                    name: row.name,
                    text: '不能再买；已有的订单与会员期不变。',
                    work: (api) => api('DELETE core/member/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
      />
      <PlanForm subject={subject} onClose={() => setSubject(undefined)} />
    </>
  );
}
