import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** Null entries are skipped. */
  facts: readonly (readonly [name: string, value: ReactNode] | null)[];
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
