import { Icon } from './icon-set.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Searches within a list, as the reader types. */
export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => (
  <div className={styles.search}>
    <Icon name="search" small />
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={50}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  </div>
);
