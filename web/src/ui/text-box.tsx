import type { ComponentProps } from 'react';
import styles from './text-box.module.css';

/** Input without label, for use outside of `Field`. */
export const Input = (props: Omit<ComponentProps<'input'>, 'className'>) => (
  <input className={styles.input} {...props} />
);

export const Select = (props: Omit<ComponentProps<'select'>, 'className'>) => (
  <select className={styles.input} {...props} />
);

interface AutoGrowTextAreaProps extends Omit<ComponentProps<'textarea'>, 'className'> {
  text: string;
}

export const AutoGrowTextArea = ({ text, hidden, ...area }: AutoGrowTextAreaProps) => (
  <div className={styles.grows} data-text={text} hidden={hidden}>
    <textarea {...area} className={styles.area} />
  </div>
);
