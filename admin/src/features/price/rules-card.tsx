import type { Prices } from '@mozhan/contract/prices.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { payByNames } from '#admin/lib/money-labels.ts';
import { Can } from '#admin/ui/can.tsx';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './price.module.css';
import { RuleForm } from './rule-form.tsx';
import { rules, textOfRule } from './rules.ts';

export function RulesCard({ prices }: { prices: Prices }) {
  const [editing, setEditing] = useState(false);
  // `prices` may be refetched while the form is open.
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
