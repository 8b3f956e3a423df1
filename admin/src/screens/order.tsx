import { FLAG } from '@mozhan/contract/enums.ts';
import type { StaffOrder } from '@mozhan/contract/orders.ts';
import { useState } from 'react';
import { orderColumns } from '#admin/features/order/columns.tsx';
import { OrderDrawer } from '#admin/features/order/order-drawer.tsx';
import { RefundForm } from '#admin/features/order/refund-form.tsx';
import { statusOptions } from '#admin/features/order/words.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { optionsOf, orderKinds, payByNames } from '#admin/lib/money-words.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { AmountFilter } from '#admin/ui/amount-filter.tsx';
import { DataTable, type Filter } from '#admin/ui/data-table.tsx';
import { dayFilters } from '#admin/ui/day-filters.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { Screen } from '#admin/ui/screen.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const filters: Filter[] = [
  { name: 'kind', label: '种类', options: optionsOf(orderKinds) },
  { name: 'status', label: '状态', options: statusOptions },
  { name: 'payBy', label: '支付方式', options: optionsOf(payByNames) },
  { name: 'invoice', label: '发票', options: [{ value: String(FLAG.on), label: '要发票的' }] },
  { name: 'userId', label: '付款人', render: (control) => <UserFilter label="付款人" {...control} /> },
  { name: 'least', label: '最少', render: (control) => <AmountFilter label="最少" {...control} /> },
  { name: 'most', label: '最多', render: (control) => <AmountFilter label="最多" {...control} /> },
  ...dayFilters,
];

export function Page() {
  const { basePath } = useApp();
  const mayRefund = useCan()('order:refund');
  const [opened, setOpened] = useState<StaffOrder>();
  const [refunding, setRefunding] = useState<StaffOrder>();
  const refundOf = (order: StaffOrder | undefined) =>
    mayRefund && order?.refundable
      ? () => {
          setOpened(undefined);
          setRefunding(order);
        }
      : undefined;

  return (
    <Screen title="订单" intro="全部订单，新的在前；退款全额、原路退回">
      <DataTable
        name="order"
        title="订单"
        route="GET core/sys/order/"
        columns={orderColumns(basePath)}
        keyword="单号，或付款人昵称、账号的开头"
        keywordMax={64}
        filters={filters}
        batch={() => null}
        actions={(row) => {
          const refund = refundOf(row);
          return (
            <RowActions
              name={row.no}
              actions={[
                { label: '详情', onClick: () => setOpened(row) },
                refund !== undefined && { label: '退款', danger: true, onClick: refund },
              ]}
            />
          );
        }}
      />
      <OrderDrawer subject={opened} onClose={() => setOpened(undefined)} onRefund={refundOf(opened)} />
      <RefundForm subject={refunding} onClose={() => setRefunding(undefined)} />
    </Screen>
  );
}
