import { useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './toast.module.css';
import {
  addToast,
  dismissToast,
  getServerToasts,
  getToasts,
  setToastsPaused,
  subscribeToToasts,
  type Toast,
  type Tone,
} from './toast-queue.ts';

/** A short message that disappears automatically; never the only place for important information. */
export function toast(text: string, tone: Tone = 'ok'): void {
  addToast({ text, tone });
}

/** A toast with a button that reverts what was done. */
export function toastWithUndo(text: string, run: () => void): void {
  addToast({ text, tone: 'ok', action: { label: '撤销', run } });
}

/** A toast with a title, which stays longer. */
export function notify({ tone = 'bad', ...texts }: { title: string; text: string; tone?: Tone }): void {
  addToast({ ...texts, tone });
}

const Message = ({ id, title, text, tone, action }: Toast) => (
  <div className={`popup ${styles.toast}`} data-tone={tone}>
    <Icon name={tone === 'ok' ? 'ok' : 'warn'} />
    <div className={styles.words}>
      {title === undefined ? null : <strong>{title}</strong>}
      {text}
    </div>
    {action === undefined ? null : (
      <Button
        size="small"
        onClick={() => {
          dismissToast(id);
          action.run();
        }}
      >
        {action.label}
      </Button>
    )}
    <IconButton label="关闭提示" onClick={() => dismissToast(id)}>
      <Icon name="close" small />
    </IconButton>
  </div>
);

/**
 * Always rendered, because screen readers announce only changes of a known live region. `aria-live` is set in addition
 * to the role, so that open dialogs do not hide the region and only new toasts are announced.
 */
export function Toasts() {
  const all = useSyncExternalStore(subscribeToToasts, getToasts, getServerToasts);
  return (
    <div
      className={styles.region}
      role="status"
      aria-live="polite"
      aria-atomic="false"
      onMouseEnter={() => setToastsPaused(true)}
      onMouseLeave={() => setToastsPaused(false)}
      onFocus={() => setToastsPaused(true)}
      onBlur={() => setToastsPaused(false)}
    >
      {all.map((each) => (
        <Message key={each.id} {...each} />
      ))}
    </div>
  );
}
