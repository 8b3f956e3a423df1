import type { ReactNode } from 'react';
import styles from './alert.module.css';
import { Icon, type IconName } from './icon.tsx';

const icons = { info: 'shield', warn: 'warn', bad: 'warn', ok: 'ok' } satisfies Record<string, IconName>;

interface AlertProps {
  tone?: keyof typeof icons;
  children: ReactNode;
}

/** An inline message. The `bad` tone is announced at once by screen readers. */
export function Alert({ tone = 'info', children }: AlertProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  );
}
