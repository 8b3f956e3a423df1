import { Input } from 'antd';
import { useState } from 'react';
import styles from './day-input.module.css';

interface DayInputProps {
  label: string;
  /** Visible label inside the field: 从, 到. */
  prefix?: string;
  /** May be set by a form. */
  id?: string;
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
}

/** Browsers report years such as 0002 while the year is being typed. */
const EARLIEST = '2000-01-01';

/** A day in the site's time zone: YYYY-MM-DD. */
export function DayInput({ label, prefix, value, onChange, ...rest }: DayInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...rest}
      className={styles.day}
      type="date"
      prefix={prefix}
      aria-label={label}
      value={typed ?? value ?? ''}
      onChange={({ target }) => {
        const isDay = target.value === '' || target.value >= EARLIEST;
        setTyped(isDay ? undefined : target.value);
        if (isDay) onChange?.(target.value === '' ? undefined : target.value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
