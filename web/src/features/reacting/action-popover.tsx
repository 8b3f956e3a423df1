import { type ReactNode, useEffect, useRef } from 'react';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import styles from './action-bar.module.css';

interface ActionPopoverProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Rendered next to the button that opens it; closed by Escape or a click elsewhere. */
export function ActionPopover({ label, onClose, children }: ActionPopoverProps) {
  const container = useRef<HTMLElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const actionItem = container.current?.parentElement;
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && actionItem?.contains(target))) close.current();
      },
      { signal },
    );
    document.addEventListener(
      'keydown',
      ({ key, isComposing }) => {
        if (key !== 'Escape' || isComposing) return;
        if (container.current?.contains(document.activeElement)) actionItem?.querySelector('button')?.focus();
        close.current();
      },
      { signal },
    );
    return () => stop.abort();
  }, []);

  return (
    <section ref={container} className={`popup text-m ${styles.popover}`} aria-label={label}>
      {children}
    </section>
  );
}

interface SignInHintProps {
  /** The action that needs it, for example 点赞. */
  actionName: string;
  onClose: () => void;
}

export const SignInHint = ({ actionName, onClose }: SignInHintProps) => (
  <ActionPopover label="需要登录" onClose={onClose}>
    <p role="alert" className={styles.hint}>
      登录后可以{actionName}
      <SignInLink className="link reach">去登录</SignInLink>
    </p>
  </ActionPopover>
);
