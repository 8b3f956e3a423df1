import type { ComponentProps } from 'react';
import styles from './choice.module.css';

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'className'> {
  type: 'radio' | 'checkbox';
  /** A `card` leaves the layout of its content to the caller. */
  variant?: 'button' | 'chip' | 'card';
}

/** A radio button or checkbox that looks like a button. */
export const Choice = ({ variant = 'button', children, ...input }: ChoiceProps) => (
  <label className={variant === 'card' ? styles.choice : `${styles.choice} ${styles[variant]}`}>
    <input {...input} />
    <span>{children}</span>
  </label>
);
