import { parseYuan, toYuan } from '@mozhan/contract/money.ts';
import { Input } from 'antd';
import { useState } from 'react';
import styles from './filters.module.css';

/** Fen, as the contract has it. */
const MOST = 100_000_000;

interface AmountFilterProps {
  label: string;
  /** Fen, as it stands in the address. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** An amount in yuan; looked for when it is finished. */
export function AmountFilter({ label, value, onChange }: AmountFilterProps) {
  const [typed, setTyped] = useState<string>();
  const fen = typed === undefined ? null : parseYuan(typed);
  const isWrong = typed !== undefined && typed.trim() !== '' && (fen === null || fen > MOST);
  function finish(): void {
    if (typed === undefined || isWrong) return;
    setTyped(undefined);
    const wanted = fen === null ? undefined : String(fen);
    if (wanted !== value) onChange(wanted);
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
