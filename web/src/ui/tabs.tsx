import { type KeyboardEvent, useRef } from 'react';
import { Icon, type IconName } from './icon-set.tsx';
import styles from './tabs.module.css';

export interface Tab<Key extends string> {
  key: Key;
  label: string;
  icon?: IconName;
  count?: number;
}

interface TabsProps<Key extends string> {
  /** Ids of the panels are `<id>-<key>`, of the tabs `<id>-<key>-tab`. */
  id: string;
  label: string;
  tabs: readonly Tab<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
}

const steps: Record<string, (index: number, count: number) => number> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export const tabPanel = (id: string, key: string) =>
  ({ id: `${id}-${key}`, role: 'tabpanel', 'aria-labelledby': `${id}-${key}-tab` }) as const;

/** A single tab stop; arrow keys move between the tabs. */
export function Tabs<Key extends string>({ id, label, tabs, selected, onSelect }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    const index = tabs.findIndex((tab) => tab.key === selected);
    const next = tabs[steps[event.key]?.(index, tabs.length) ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next.key);
    list.current?.querySelector<HTMLElement>(`#${id}-${next.key}-tab`)?.focus();
  }

  return (
    <div ref={list} className={styles.tabs} role="tablist" aria-label={label}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          className={styles.tab}
          id={`${id}-${tab.key}-tab`}
          aria-controls={`${id}-${tab.key}`}
          aria-selected={tab.key === selected}
          tabIndex={tab.key === selected ? 0 : -1}
          onClick={() => onSelect(tab.key)}
          onKeyDown={onKeyDown}
        >
          {tab.icon ? <Icon name={tab.icon} /> : null}
          {tab.label}
          {tab.count === undefined ? null : <small className={styles.count}>{tab.count}</small>}
        </button>
      ))}
    </div>
  );
}
