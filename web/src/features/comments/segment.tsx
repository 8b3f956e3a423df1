import styles from './segment.module.css';

interface SegmentProps<Key extends string> {
  label: string;
  options: readonly { key: Key; label: string }[];
  selected: Key;
  onSelect: (key: Key) => void;
}

export const SegmentedControl = <Key extends string>({
  label,
  options,
  selected,
  onSelect,
}: SegmentProps<Key>) => (
  <fieldset className={styles.segment} aria-label={label}>
    {options.map(({ key, label }) => (
      <button key={key} type="button" aria-pressed={key === selected} onClick={() => onSelect(key)}>
        {label}
      </button>
    ))}
  </fieldset>
);
