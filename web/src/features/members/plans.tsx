import type { Plan } from '@mozhan/contract/members.ts';
import { formatTag } from '@mozhan/contract/money.ts';
import { useState } from 'react';
import { usePay } from '#web/features/paying/use-pay.ts';
import { Button } from '#web/ui/button.tsx';
import { Choice } from '#web/ui/choice.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import styles from './members.module.css';

interface PlansProps {
  plans: readonly Plan[];
  /** Then buying adds to what is left. */
  isMember: boolean;
}

/** What membership costs: one plan is chosen, one button buys it. */
export function Plans({ plans, isMember }: PlansProps) {
  const pay = usePay();
  const [chosenId, setChosenId] = useState('');
  const chosen = plans.find(({ id }) => id === chosenId) ?? plans[0];
  if (chosen === undefined)
    return <NothingYet level="h3" title="现在没有可以购买的会员方案" text="过些时候再来看看。" />;
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
            look="card"
            name="plan"
            value={plan.id}
            checked={plan.id === id}
            onChange={() => setChosenId(plan.id)}
          >
            <span>{plan.name}</span>
            <b className="amount">{formatTag(plan.price)}</b>
            <small>{plan.days} 天</small>
          </Choice>
        ))}
      </fieldset>
      <Button look="primary" size="large" type="submit">
        {isMember ? '续费' : '开通'}
        {name} {formatTag(price)}
      </Button>
    </form>
  );
}
