import type { Flag } from '@mozhan/contract/enums.ts';
import type { Plan } from '@mozhan/contract/members.ts';
import { toYuan } from '@mozhan/contract/money.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { amountOf } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  name: string;
  days: number;
  price: string;
  enabled: Flag;
}

interface PlanFormProps {
  subject: Plan | 'new' | undefined;
  onClose: () => void;
}

/** Fen, as the contract has it. */
const PRICE = { min: 100, max: 1_000_000 };

export function PlanForm({ subject, onClose }: PlanFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '新建会员方案' : `编辑方案「${row.name}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        name: row?.name ?? '',
        days: row?.days ?? 30,
        price: row === undefined ? '' : toYuan(row.price),
        enabled: row?.enabled ?? 1,
      }}
      fields={[
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 20 },
        { name: 'days', kind: 'number', label: '天数', required: true, min: 1, max: 3660, suffix: '天' },
        { name: 'price', kind: 'money', label: '价格', ...PRICE, help: '已有的订单不变' },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后不能再买' },
      ]}
      submit={async ({ price, ...values }) => {
        const given = { ...values, price: amountOf(price) };
        if (row === undefined) await api('POST core/member/', given);
        else await api('PUT core/member/', { id: row.id, ...given });
        message.success(row === undefined ? `已新建方案「${values.name}」` : '已保存');
      }}
    />
  );
}
