import { formatTag, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import type { Prices } from '@mozhan/contract/prices.ts';
import { useState } from 'react';
import { WithPrices } from '#web/features/paying/with-prices.tsx';
import { useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Choices } from '#web/ui/field.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { Waiting } from '#web/ui/waiting.tsx';
import { AmountField } from './amount-field.tsx';

type Rules = Pick<Prices, 'rechargeMin' | 'rechargeMax' | 'tiers'>;

interface RechargeFormProps {
  rules: Rules;
  onRecharge: (fen: number) => void;
}

function RechargeForm({ rules: { rechargeMin, rechargeMax, tiers }, onRecharge }: RechargeFormProps) {
  const offered = tiers
    .filter(({ kind, enabled, amount }) => kind === 'recharge' && enabled && amount <= rechargeMax)
    .map(({ amount }) => ({ value: toYuan(amount), label: formatTag(amount) }));
  const [text, setText] = useState(offered[0]?.value ?? '');
  const fen = parseYuan(text);
  const { busy, errors, props } = useForm({
    names: ['amount'],
    check: () => {
      if (fen === null) return { amount: '请填写金额，最多两位小数' };
      if (fen < rechargeMin) return { amount: `每次至少充值 ${formatTag(rechargeMin)}` };
      return fen > rechargeMax ? { amount: `每次最多充值 ${formatTag(rechargeMax)}` } : {};
    },
    submit: async () => {
      if (fen !== null) onRecharge(fen);
    },
  });
  return (
    <form {...props} className="stack gap-5">
      {offered.length === 0 ? null : (
        <Choices
          name="tier"
          legend="选一个金额"
          options={offered}
          value={fen === null ? '' : toYuan(fen)}
          onChange={setText}
        />
      )}
      <AmountField
        label="充值金额（元）"
        value={text}
        onChange={setText}
        hint={`从 ${formatTag(rechargeMin)} 到 ${formatTag(rechargeMax)}。余额只能在本站使用，不能提现。`}
        error={errors.amount}
      />
      <Button look="primary" block type="submit" busy={busy}>
        下一步
      </Button>
    </form>
  );
}

interface RechargeDialogProps extends Opened {
  onRecharge: (fen: number) => void;
}

/** How much to put into one's balance; paying is another dialog. */
export const RechargeDialog = ({ open, onOpenChange, onRecharge }: RechargeDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="充值">
    <WithPrices level="h3" waiting={<Waiting className="stack gap-5" lines={['100 l', '100 l']} />}>
      {(prices) => <RechargeForm rules={prices} onRecharge={onRecharge} />}
    </WithPrices>
  </Dialog>
);
