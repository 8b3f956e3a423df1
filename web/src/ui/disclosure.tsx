import type { ComponentProps } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps extends Omit<ComponentProps<'details'>, 'className'> {
  summary: string;
}

export const Disclosure = ({ summary, children, ...details }: DisclosureProps) => (
  <details {...details} className={styles.disclosure}>
    <summary>{summary}</summary>
    {children}
  </details>
);
