import type { ComponentProps } from 'react';
import styles from './choice.module.css';

interface ChoiceProps extends Omit<ComponentProps<'input'>, 'className'> {
  type: 'radio' | 'checkbox';
  /** A `card` leaves the layout of its text to whoever shows it. */
  look?: 'button' | 'chip' | 'card';
}

/** A radio button or checkbox whose text is the button. */
export const Choice = ({ look = 'button', children, ...input }: ChoiceProps) => (
  <label className={look === 'card' ? styles.choice : `${styles.choice} ${styles[look]}`}>
    <input {...input} />
    <span>{children}</span>
  </label>
);
