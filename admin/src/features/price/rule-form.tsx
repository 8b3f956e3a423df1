import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import type { PriceRules } from '#contract/prices.ts';
import { fromValues, type RuleValues, ruleFields, rules, toValues } from './rules.ts';

interface RuleFormProps {
  stored: PriceRules;
  open: boolean;
  onClose: () => void;
}

/** Only what was changed is sent. */
export function RuleForm({ stored, open, onClose }: RuleFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormDrawer<RuleValues>
      title="修改价格规则"
      open={open}
      onClose={onClose}
      intro={<p>只对以后的订单有效，已有的订单不变。</p>}
      values={toValues(stored)}
      fields={ruleFields}
      submit={async (values) => {
        const given = fromValues(values);
        const changed = rules.map(({ name }) => name).filter((name) => given[name] !== stored[name]);
        if (changed.length === 0) return;
        await api('PUT core/fina/price/', Object.fromEntries(changed.map((name) => [name, given[name]])));
        message.success('已保存');
      }}
    />
  );
}
