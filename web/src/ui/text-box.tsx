import type { ComponentProps } from 'react';
import styles from './text-box.module.css';

/** The bare box, for inputs that stand in a frame of their own. */
export const Input = (props: Omit<ComponentProps<'input'>, 'className'>) => (
  <input className={styles.input} {...props} />
);

export const Select = (props: Omit<ComponentProps<'select'>, 'className'>) => (
  <select className={styles.input} {...props} />
);

interface GrowingTextProps extends Omit<ComponentProps<'textarea'>, 'className'> {
  /** What is typed so far. */
  text: string;
}

/** As high as its text. */
export const GrowingText = ({ text, hidden, ...area }: GrowingTextProps) => (
  <div className={styles.grows} data-text={text} hidden={hidden}>
    <textarea {...area} className={styles.area} />
  </div>
);
