import type { ReactNode } from 'react';
import { ResultIcon } from '#web/ui/result-icon.tsx';
import styles from './pay.module.css';

interface PaymentResultProps {
  tone: 'ok' | 'warn';
  title: string;
  level?: 'h2' | 'h3';
  text: string;
  children?: ReactNode;
}

export const PaymentResult = ({ tone, title, level: Heading = 'h3', text, children }: PaymentResultProps) => (
  <div className={`stack gap-4 text-center ${styles.state}`}>
    <ResultIcon tone={tone} />
    <div role="status">
      <Heading>{title}</Heading>
      <p>{text}</p>
    </div>
    {children}
  </div>
);
