import { Icon } from '#web/ui/icon-set.tsx';
import styles from './talks.module.css';

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Finds people, essays and words. */
export const SearchField = ({ value, onChange }: SearchFieldProps) => (
  // biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element
  <form
    role="search"
    className={`row gap-2 ink-3 ${styles.search}`}
    onSubmit={(event) => event.preventDefault()}
  >
    <Icon name="search" small />
    <input
      type="search"
      aria-label="搜索会话和消息"
      placeholder="搜索会话和消息"
      maxLength={50}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  </form>
);
