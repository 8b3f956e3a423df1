import type { Plan } from '@mozhan/contract/members.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import { useState } from 'react';
import { usePay } from '#web/features/paying/use-pay.ts';
import { Button } from '#web/ui/button.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import styles from './members.module.css';

interface PlanFormProps {
  plans: readonly Plan[];
  /** A purchase then extends the membership. */
  isMember: boolean;
}

/** One plan is chosen, one button buys it. */
export function PlanForm({ plans, isMember }: PlanFormProps) {
  const pay = usePay();
  const [chosenId, setChosenId] = useState('');
  const chosen = plans.find(({ id }) => id === chosenId) ?? plans[0];
  if (chosen === undefined)
    return <EmptyList level="h3" title="现在没有可以购买的会员方案" text="请过些时候再来。" />;
  const { id, name, price } = chosen;
  return (
    <form
      className={styles.offer}
      onSubmit={(event) => {
        event.preventDefault();
        void pay({ kind: 'member', targetId: id, title: name, amount: price });
      }}
    >
      <fieldset className={styles.plans}>
        <legend className={styles.heading}>{isMember ? '续费' : '开通会员'}</legend>
        {plans.map((plan) => (
          <Choice
            key={plan.id}
            type="radio"
            variant="card"
            name="plan"
            value={plan.id}
            checked={plan.id === id}
            onChange={() => setChosenId(plan.id)}
          >
            <span>{plan.name}</span>
            <b className="amount">{formatPriceTag(plan.price)}</b>
            <small>{plan.days} 天</small>
          </Choice>
        ))}
      </fieldset>
      <Button variant="primary" size="large" type="submit">
        {isMember ? '续费' : '开通'}
        {name} {formatPriceTag(price)}
      </Button>
    </form>
  );
}
