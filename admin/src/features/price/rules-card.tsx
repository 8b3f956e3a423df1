import type { Prices } from '@mozhan/contract/prices.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { payByNames } from '#admin/lib/money-words.ts';
import { Can } from '#admin/ui/can.tsx';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './price.module.css';
import { RuleForm } from './rule-form.tsx';
import { rules, textOfRule } from './rules.ts';

/** What holds for every price, and how one can pay here. */
export function RulesCard({ prices }: { prices: Prices }) {
  const [editing, setEditing] = useState(false);
  // The prices are asked for anew under an open form.
  const [base, setBase] = useState(prices);

  function edit(): void {
    setBase(prices);
    setEditing(true);
  }

  return (
    <Card>
      <section aria-label="规则">
        <CardHead title="规则">
          <Can permission="price:update">
            <Button onClick={edit}>修改规则</Button>
          </Can>
        </CardHead>
        <dl className={styles.rules}>
          {rules.map((rule) => (
            <div key={rule.name}>
              <dt>{rule.label}</dt>
              <dd>{textOfRule(rule, prices)}</dd>
            </div>
          ))}
          <div>
            <dt>可用的支付方式</dt>
            <dd className={styles.ways}>{prices.payBy.map((way) => payByNames[way]).join('、')}</dd>
          </div>
        </dl>
      </section>
      <RuleForm base={base} open={editing} onClose={() => setEditing(false)} />
    </Card>
  );
}
