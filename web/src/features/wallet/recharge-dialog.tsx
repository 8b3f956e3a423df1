import { formatPriceTag, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import type { Prices } from '@mozhan/contract/prices.ts';
import { useState } from 'react';
import { WithPrices } from '#web/features/paying/with-prices.tsx';
import { useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import { AmountField } from './amount-field.tsx';

type Rules = Pick<Prices, 'rechargeMin' | 'rechargeMax' | 'tiers'>;

interface RechargeFormProps {
  rules: Rules;
  onRecharge: (fen: number) => void;
}

function RechargeForm({ rules: { rechargeMin, rechargeMax, tiers }, onRecharge }: RechargeFormProps) {
  const offeredTiers = tiers
    .filter(({ kind, enabled, amount }) => kind === 'recharge' && enabled && amount <= rechargeMax)
    .map(({ amount }) => ({ value: toYuan(amount), label: formatPriceTag(amount) }));
  const [text, setText] = useState(offeredTiers[0]?.value ?? '');
  const fen = parseYuan(text);
  const { busy, errors, props } = useForm({
    names: ['amount'],
    check: () => {
      if (fen === null) return { amount: '请填写金额，最多两位小数' };
      if (fen < rechargeMin) return { amount: `每次至少充值 ${formatPriceTag(rechargeMin)}` };
      return fen > rechargeMax ? { amount: `每次最多充值 ${formatPriceTag(rechargeMax)}` } : {};
    },
    submit: async () => {
      if (fen !== null) onRecharge(fen);
    },
  });
  return (
    <form {...props} className="stack gap-5">
      {offeredTiers.length === 0 ? null : (
        <ChoiceGroup
          name="tier"
          legend="选一个金额"
          options={offeredTiers}
          value={fen === null ? '' : toYuan(fen)}
          onChange={setText}
        />
      )}
      <AmountField
        label="充值金额（元）"
        value={text}
        onChange={setText}
        hint={`从 ${formatPriceTag(rechargeMin)} 到 ${formatPriceTag(rechargeMax)}。余额只能在本站使用，不能提现。`}
        error={errors.amount}
      />
      <Button variant="primary" block type="submit" busy={busy}>
        下一步
      </Button>
    </form>
  );
}

interface RechargeDialogProps extends DialogOpenProps {
  onRecharge: (fen: number) => void;
}

/** Asks for the amount; the payment is a separate dialog. */
export const RechargeDialog = ({ open, onOpenChange, onRecharge }: RechargeDialogProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="充值">
    <WithPrices level="h3" loading={<LoadingSkeleton className="stack gap-5" lines={['100 l', '100 l']} />}>
      {(prices) => <RechargeForm rules={prices} onRecharge={onRecharge} />}
    </WithPrices>
  </Dialog>
);
