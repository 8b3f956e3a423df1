import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';

const icons = { info: 'shield', warn: 'warn', bad: 'warn', ok: 'ok' } satisfies Record<string, IconName>;

interface NoticeProps {
  tone?: keyof typeof icons;
  children: ReactNode;
}

/** A sentence that stands with what it is about. A bad one is read out at once. */
export function Notice({ tone = 'info', children }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  );
}
