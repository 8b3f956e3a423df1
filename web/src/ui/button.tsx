import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface ButtonLook {
  /** One `primary` in a region at the most; `danger` says its verb and asks first. */
  look?: 'outline' | 'primary' | 'ghost' | 'danger';
  size?: 'small' | 'medium' | 'large';
  /** An icon alone. */
  square?: boolean;
  /** As wide as what it stands in. */
  block?: boolean;
}

/** For a link that looks like a button. */
export function buttonClass({ look = 'outline', size = 'medium', square, block }: ButtonLook = {}): string {
  const parts = ['button', look, size, square && 'square', block && 'block'];
  return parts
    .map((part) => (part ? styles[part] : undefined))
    .filter(Boolean)
    .join(' ');
}

type ButtonProps = ButtonLook & ComponentProps<'button'> & { busy?: boolean };

/** While busy it keeps its place and the focus, and does nothing. */
export function Button({ look, size, square, block, busy = false, type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ look, size, square, block })}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    />
  );
}
