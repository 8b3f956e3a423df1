import { Link } from '#admin/lib/navigation.tsx';
import styles from './link-tabs.module.css';

interface LinkTabsProps {
  label: string;
  tabs: readonly { key: string; label: string; to: string }[];
  selected: string;
}

export function LinkTabs({ label, tabs, selected }: LinkTabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          className={styles.tab}
          to={tab.to}
          aria-current={tab.key === selected ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
