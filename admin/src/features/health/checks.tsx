import type { Health, HealthState } from '@mozhan/contract/health.ts';
import { Card } from '#admin/ui/screen.tsx';
import { StateTag } from '#admin/ui/state-tag.tsx';
import styles from './health.module.css';

export function Checks({ checks }: Pick<Health, 'checks'>) {
  const order: HealthState[] = ['bad', 'warn', 'ok'];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Card>
      <ul className={styles.checks} aria-label="检查">
        {sorted.map(({ part, state, text }) => (
          <li key={part}>
            <StateTag state={state} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
