import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './menu.module.css';

interface MenuProps {
  label: string;
  button: ReactNode;
  /** Items; a click on one closes the menu. */
  children: ReactNode;
}

/** A list that opens below its button; closed by Escape, a choice, or a click or focus elsewhere. */
export function Menu({ label, button, children }: MenuProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  // Safari does not focus a clicked button, so the blur event alone does not detect a click elsewhere.
  useEffect(() => {
    if (!open) return;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    opener.current?.focus();
  }

  function onBlur(event: FocusEvent<HTMLDivElement>): void {
    if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles events of the controls inside
    <div ref={box} className={styles.menu} onKeyDown={onKeyDown} onBlur={onBlur}>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the items inside are the controls */}
      <ul id={id} className={styles.list} hidden={!open} tabIndex={-1} onClick={() => setOpen(false)}>
        {children}
      </ul>
    </div>
  );
}

/** Class of an item in other popups, such as suggestions. */
export const menuItemClass = (gap: 'usual' | 'narrow' = 'usual'): string =>
  gap === 'narrow' ? `${styles.item} ${styles.narrow}` : `${styles.item}`;

export const MenuSeparator = () => <li className={styles.line} aria-hidden="true" />;
