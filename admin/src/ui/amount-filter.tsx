import { parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { Input } from 'antd';
import { useState } from 'react';
import styles from './filters.module.css';

/** Limit of the contract, in fen. */
const MAX_FEN = 100_000_000;

interface AmountFilterProps {
  label: string;
  /** Fen, from the URL. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Filter by an amount in yuan; applied on Enter or blur. */
export function AmountFilter({ label, value, onChange }: AmountFilterProps) {
  const [typed, setTyped] = useState<string>();
  const fen = typed === undefined ? null : parseYuan(typed);
  const isWrong = typed !== undefined && typed.trim() !== '' && (fen === null || fen > MAX_FEN);
  function finish(): void {
    if (typed === undefined || isWrong) return;
    setTyped(undefined);
    const next = fen === null ? undefined : String(fen);
    if (next !== value) onChange(next);
  }
  return (
    <Input
      className={styles.amount}
      prefix={label}
      suffix="元"
      aria-label={`${label}（元）`}
      inputMode="decimal"
      maxLength={10}
      autoComplete="off"
      status={isWrong ? 'error' : ''}
      value={typed ?? (value === undefined ? '' : toYuan(Number(value)))}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={finish}
      onPressEnter={finish}
    />
  );
}
