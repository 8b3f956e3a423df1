import { type ReactNode, useEffect, useRef } from 'react';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import styles from './action-bar.module.css';

interface ActionPopoverProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Stands with the button that opened it, its next in order; closed by Escape or by a press elsewhere. */
export function ActionPopover({ label, onClose, children }: ActionPopoverProps) {
  const box = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const act = box.current?.parentElement;
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && act?.contains(target))) close.current();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      ({ key, isComposing }) => {
        if (key !== 'Escape' || isComposing) return;
        if (box.current?.contains(document.activeElement)) act?.querySelector('button')?.focus();
        close.current();
      },
      { signal },
    );
    return () => stop.abort();
  }, []);

  return (
    <section ref={box} className={`popup text-m ${styles.popover}`} aria-label={label}>
      {children}
    </section>
  );
}

interface SignInHintProps {
  /** What needs it: 点赞. */
  to: string;
  onClose: () => void;
}

export const SignInHint = ({ to, onClose }: SignInHintProps) => (
  <ActionPopover label="需要登录" onClose={onClose}>
    <p role="alert" className={styles.hint}>
      登录后可以{to}
      <SignInLink className="link reach">去登录</SignInLink>
    </p>
  </ActionPopover>
);
