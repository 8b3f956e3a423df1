import { Input } from 'antd';
import { useState } from 'react';
import styles from './day-input.module.css';

interface DayInputProps {
  label: string;
  /** Before it, where it has no label of its own: 从, 到. */
  prefix?: string;
  /** These may come from a form. */
  id?: string;
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
}

/** While the year is being typed, it begins with zeros. */
const EARLIEST = '2000-01-01';

/** A day of the site's clock: YYYY-MM-DD. */
export function DayInput({ label, prefix, value, onChange, ...given }: DayInputProps) {
  const [typed, setTyped] = useState<string>();
  return (
    <Input
      {...given}
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
