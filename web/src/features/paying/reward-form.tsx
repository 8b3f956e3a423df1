import { FLAG } from '@mozhan/contract/enums.ts';
import { formatPriceTag, parseYuan, toYuan } from '@mozhan/contract/money.ts';
import type { Prices } from '@mozhan/contract/prices.ts';
import { useState } from 'react';
import { useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup, Field, TextArea } from '#web/ui/field.tsx';
import { LoadingSkeleton } from '#web/ui/loading-skeleton.tsx';
import styles from './pay.module.css';
import { WithPrices } from './with-prices.tsx';

export interface RewardDraft {
  /** In fen. */
  amount: number;
  message: string;
}

const OTHER = 'other';

interface RewardFormProps {
  title: string;
  draft: RewardDraft | undefined;
  onDone: (draft: RewardDraft) => void;
}

function RewardFormFields({ prices, title, draft, onDone }: RewardFormProps & { prices: Prices }) {
  const { rewardMin, rewardMax, tiers } = prices;
  const presets = tiers
    .filter(({ kind, enabled }) => kind === 'reward' && enabled === FLAG.on)
    .map(({ amount }) => amount)
    .filter((amount) => amount >= rewardMin && amount <= rewardMax);
  const initialAmount = draft?.amount ?? presets[Math.floor(presets.length / 2)];
  const [choice, setChoice] = useState(
    initialAmount !== undefined && presets.includes(initialAmount) ? String(initialAmount) : OTHER,
  );
  const amountOf = ({ other }: { other: string }) => (choice === OTHER ? parseYuan(other) : Number(choice));

  const { field, props } = useForm({
    names: ['other', 'message'],
    initial: draft && { message: draft.message },
    check: (values) => {
      const amount = amountOf(values);
      if (amount === null) return { other: '请填写金额，最多两位小数，如 6.66' };
      if (amount < rewardMin || amount > rewardMax)
        return { other: `打赏从 ${formatPriceTag(rewardMin)} 到 ${formatPriceTag(rewardMax)}` };
      return {};
    },
    submit: async (values) => onDone({ amount: amountOf(values) ?? 0, message: values.message.trim() }),
  });
  return (
    <form {...props} className="stack gap-4">
      <p className={styles.quiet}>《{title}》</p>
      <ChoiceGroup
        name="choice"
        legend="金额"
        options={[
          ...presets.map((amount) => ({ value: String(amount), label: formatPriceTag(amount) })),
          { value: OTHER, label: '其他' },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === OTHER ? (
        <Field
          {...field('other')}
          label="其他金额（元）"
          inputMode="decimal"
          autoComplete="off"
          maxLength={10}
          placeholder={toYuan(rewardMin)}
          defaultValue={draft && !presets.includes(draft.amount) ? toYuan(draft.amount) : ''}
        />
      ) : null}
      <TextArea
        {...field('message')}
        label="留言"
        placeholder="可以不写。会和打赏一起公开显示。"
        maxLength={100}
      />
      <div className={`flex end gap-2 ${styles.buttons}`}>
        <Button variant="primary" type="submit">
          下一步
        </Button>
      </div>
    </form>
  );
}

export const RewardForm = (props: RewardFormProps) => (
  <WithPrices loading={<LoadingSkeleton className="stack gap-4" lines={['50', '100 l', '100 l']} />}>
    {(prices) => <RewardFormFields prices={prices} {...props} />}
  </WithPrices>
);
