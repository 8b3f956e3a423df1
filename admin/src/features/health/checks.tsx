import { CheckCircleOutlined, CloseCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons';
import type { Health, HealthState } from '@mozhan/contract/health.ts';
import { Tag } from 'antd';
import { Card } from '#admin/ui/screen.tsx';
import styles from './health.module.css';
import { stateWords } from './words.ts';

const tags: Record<HealthState, { color: string; icon: React.ReactNode }> = {
  ok: { color: 'success', icon: <CheckCircleOutlined aria-hidden /> },
  warn: { color: 'warning', icon: <ExclamationCircleOutlined aria-hidden /> },
  bad: { color: 'error', icon: <CloseCircleOutlined aria-hidden /> },
};

export const StateTag = ({ state }: { state: HealthState }) => (
  <Tag {...tags[state]}>{stateWords[state]}</Tag>
);

/** What was looked at: what is wrong comes first. */
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
