import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './toast.module.css';
import { add, dismiss, hold, shown, shownOnServer, subscribe, type Toast, type Tone } from './toast-queue.ts';

/** A short message that goes away by itself; never the only place where something is said that must be read. */
export function toast(text: string, tone: Tone = 'ok'): void {
  add({ text, tone });
}

/** A message with a title, which stays longer. */
export function notify({ tone = 'bad', ...words }: { title: string; text: string; tone?: Tone }): void {
  add({ ...words, tone });
}

const Message = ({ id, title, text, tone }: Toast) => (
  <div className={`popup ${styles.toast}`} data-tone={tone}>
    <Icon name={tone === 'ok' ? 'ok' : 'warn'} />
    <div className={styles.words}>
      {title === undefined ? null : <strong>{title}</strong>}
      {text}
    </div>
    <IconButton label="关闭提示" onClick={() => dismiss(id)}>
      <Icon name="close" small />
    </IconButton>
  </div>
);

/**
 * The region is always there: screen readers only announce changes to one they know. It says `aria-live` although its
 * role does too, so that an open dialog leaves it alone, and only what is new is read.
 */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, shown, shownOnServer);
  return (
    <div
      className={styles.region}
      role="status"
      aria-live="polite"
      aria-atomic="false"
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      {all.map((each) => (
        <Message key={each.id} {...each} />
      ))}
    </div>
  );
}
