import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface FactsProps {
  /** What is to be left out is null. */
  facts: readonly (readonly [name: string, value: ReactNode] | null)[];
}

/** What is known of something, name and value. */
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
