import type { PriceRules } from '@mozhan/contract/prices.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { changesOf } from '#admin/lib/changes.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { ruleFields, rulesIn } from './rules.ts';

interface RuleFormProps {
  /** As they were when it was opened. */
  base: PriceRules;
  open: boolean;
  onClose: () => void;
}

/** Only what was changed is sent. */
export function RuleForm({ base, open, onClose }: RuleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormDrawer<PriceRules>
      title="修改价格规则"
      open={open}
      onClose={onClose}
      intro={<p>只对以后的订单有效，已有的订单不变。</p>}
      values={rulesIn(base)}
      fields={ruleFields}
      submit={async (values) => {
        const changes = changesOf(rulesIn(base), values);
        if (Object.keys(changes).length === 0) return;
        await api('PUT core/fina/price/', changes);
        message.success('已保存');
      }}
    />
  );
}
