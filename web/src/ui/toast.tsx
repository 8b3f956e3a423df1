import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

interface Toast {
  id: number;
  text: string;
  tone: 'ok' | 'bad';
}

const SHOWN_MS = 5000;
const MOST = 3;

const listeners = new Set<() => void>();
const none: readonly Toast[] = [];
let toasts = none;
let lastId = 0;

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** A short message that goes away by itself; never the only place where something is said that must be read. */
export function toast(text: string, tone: Toast['tone'] = 'ok'): void {
  lastId += 1;
  const id = lastId;
  set([...toasts, { id, text, tone }].slice(-MOST));
  setTimeout(() => dismiss(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The region is always there: screen readers only announce changes to one they know. */
export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  return (
    <div className={styles.region} role="status">
      {shown.map(({ id, text, tone }) => (
        <div key={id} className={styles.toast} data-tone={tone}>
          <Icon name={tone === 'ok' ? 'ok' : 'warn'} />
          <span>{text}</span>
          <button type="button" className={styles.close} aria-label="关闭提示" onClick={() => dismiss(id)}>
            <Icon name="close" small />
          </button>
        </div>
      ))}
    </div>
  );
}
