import { parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { Input } from 'antd';
import { useState } from 'react';
import styles from './form-panel.module.css';

interface MoneyInputProps {
  /** These come from the form. */
  id?: string;
  value?: number;
  onChange?: (fen: number) => void;
}

/** Value of an empty field, or of text that is not an amount. */
export const NO_AMOUNT = Number.NaN;

/** An amount, typed in yuan and held in fen. */
export function MoneyInput({ value = NO_AMOUNT, onChange, ...given }: MoneyInputProps) {
  const [typed, setTyped] = useState(Number.isNaN(value) ? '' : toYuan(value));
  return (
    <Input
      {...given}
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
