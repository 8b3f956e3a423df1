import { useEffect, useRef } from 'react';
import { formatCount } from '../lib/format.ts';
import styles from './tabs.module.css';

interface LinkTab {
  key: string;
  label: string;
  /** Base path included. */
  href: string;
  count?: number | undefined;
  /** A short text after the label, such as 4 篇新文章. */
  note?: string | undefined;
}

interface LinkTabsProps {
  label: string;
  tabs: readonly LinkTab[];
  selected: string;
}

export function LinkTabs({ label, tabs, selected }: LinkTabsProps) {
  const list = useRef<HTMLElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the selection changes
  useEffect(() => {
    const box = list.current;
    const current = box?.querySelector<HTMLElement>('[aria-current]');
    if (box === null || !current) return;
    // `scrollIntoView` would scroll the page as well.
    box.scrollLeft = current.offsetLeft - (box.clientWidth - current.offsetWidth) / 2;
  }, [selected]);

  return (
    <nav ref={list} className={styles.tabs} aria-label={label}>
      {tabs.map(({ key, label, href, count, note }) => (
        <a key={key} className={styles.tab} href={href} aria-current={key === selected ? 'page' : undefined}>
          {label}
          {count === undefined ? null : <small className={styles.count}>{formatCount(count)}</small>}
          {note === undefined ? null : <small className={styles.count}>{note}</small>}
        </a>
      ))}
    </nav>
  );
}
