import type { ReactNode } from 'react';
import { Sign } from '#web/ui/sign.tsx';
import styles from './pay.module.css';

interface ClosingProps {
  tone: 'ok' | 'warn';
  title: string;
  level?: 'h2' | 'h3';
  text: string;
  children?: ReactNode;
}

/** How it ended. */
export const Closing = ({ tone, title, level: Heading = 'h3', text, children }: ClosingProps) => (
  <div className={`stack gap-4 text-center ${styles.state}`}>
    <Sign tone={tone} />
    <div role="status">
      <Heading>{title}</Heading>
      <p>{text}</p>
    </div>
    {children}
  </div>
);
