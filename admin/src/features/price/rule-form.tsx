import type { PriceRules } from '@mozhan/contract/prices.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { changedFields } from '#admin/lib/changed-fields.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { pickRules, ruleFields } from './rules.ts';

interface RuleFormProps {
  /** Values when the form was opened. */
  base: PriceRules;
  open: boolean;
  onClose: () => void;
}

export function RuleForm({ base, open, onClose }: RuleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormDrawer<PriceRules>
      title="修改价格规则"
      open={open}
      onClose={onClose}
      intro={<p>只对以后的订单有效，已有的订单不变。</p>}
      values={pickRules(base)}
      fields={ruleFields}
      submit={async (values) => {
        const changes = changedFields(pickRules(base), values);
        if (Object.keys(changes).length === 0) return;
        await api('PUT core/fina/price/', changes);
        message.success('已保存');
      }}
    />
  );
}
