import { parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { Input } from 'antd';
import { useState } from 'react';
import styles from './form-panel.module.css';

interface MoneyInputProps {
  /** Set by the form. */
  id?: string;
  /** Outside of a form. */
  'aria-label'?: string;
  value?: number;
  onChange?: (fen: number) => void;
}

/** Value of an empty field, or of text that is not an amount. */
export const NO_AMOUNT = Number.NaN;

export function MoneyInput({ value = NO_AMOUNT, onChange, ...rest }: MoneyInputProps) {
  const [typed, setTyped] = useState(Number.isNaN(value) ? '' : toYuan(value));
  return (
    <Input
      {...rest}
      className={styles.money}
      inputMode="decimal"
      prefix="¥"
      maxLength={12}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange?.(parseYuan(target.value) ?? NO_AMOUNT);
      }}
    />
  );
}
