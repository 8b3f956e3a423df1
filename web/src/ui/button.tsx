import type { ComponentProps } from 'react';
import styles from './button.module.css';

export interface ButtonStyle {
  /** At most one `primary` per region; `danger` names its action and asks for confirmation. */
  variant?: 'outline' | 'primary' | 'ghost' | 'danger';
  size?: 'small' | 'medium' | 'large';
  square?: boolean;
  block?: boolean;
}

/** Class names for a link that looks like a button. */
export function buttonClass({
  variant = 'outline',
  size = 'medium',
  square,
  block,
}: ButtonStyle = {}): string {
  const parts = ['button', variant, size, square && 'square', block && 'block'];
  return parts
    .map((part) => (part ? styles[part] : undefined))
    .filter(Boolean)
    .join(' ');
}

type ButtonProps = ButtonStyle & ComponentProps<'button'> & { busy?: boolean };

/** While busy it keeps its size and the focus, and ignores clicks. */
export function Button({
  variant,
  size,
  square,
  block,
  busy = false,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, square, block })}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    />
  );
}
