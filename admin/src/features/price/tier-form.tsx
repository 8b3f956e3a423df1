import type { Flag } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import type { Tier, TierKind } from '@mozhan/contract/prices.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { amountOf } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { tierBounds, tierKinds } from './tiers.ts';

interface Values {
  amount: string;
  enabled: Flag;
}

interface TierFormProps {
  kind: TierKind;
  subject: Tier | 'new' | undefined;
  onClose: () => void;
}

export function TierForm({ kind, subject, onClose }: TierFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? `新增${tierKinds[kind]}的金额` : `编辑 ${formatYuan(row.amount)}`}
      open={subject !== undefined}
      onClose={onClose}
      values={{ amount: row === undefined ? '' : toYuan(row.amount), enabled: row?.enabled ?? 1 }}
      fields={[
        { name: 'amount', kind: 'money', label: '金额', ...tierBounds[kind] },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后不再供人选择' },
      ]}
      submit={async ({ amount, enabled }) => {
        const given = { amount: amountOf(amount), enabled };
        if (row === undefined) await api('POST core/fina/price/', { kind, ...given });
        else await api('PUT core/fina/price/', { id: row.id, ...given });
        message.success(row === undefined ? `已新增 ${formatYuan(given.amount)}` : '已保存');
      }}
      codes={{ TIER_TAKEN: 'amount' }}
    />
  );
}
