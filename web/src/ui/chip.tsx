import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { Icon } from './icon.tsx';

interface ChipProps {
  /** Where it leads, base path included. */
  href?: string;
  children: ReactNode;
}

/** A tag, or the like. */
export const Chip = ({ href, children }: ChipProps) =>
  href === undefined ? (
    <span className={styles.chip}>{children}</span>
  ) : (
    <a className={`${styles.chip} ${styles.link}`} href={href}>
      {children}
    </a>
  );

interface RemovableChipProps {
  name: string;
  onRemove: () => void;
}

/** One of those that were picked. */
export const RemovableChip = ({ name, onRemove }: RemovableChipProps) => (
  <span className={`${styles.chip} ${styles.removable}`}>
    {name}
    <button type="button" aria-label={`移除 ${name}`} onClick={onRemove}>
      <Icon name="close" small />
    </button>
  </span>
);
