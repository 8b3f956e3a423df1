import { Icon } from './icon.tsx';
import styles from './notice.module.css';

interface SignProps {
  tone: 'ok' | 'warn';
  large?: boolean;
}

/** How it ended; the words stand below it. */
export const Sign = ({ tone, large = false }: SignProps) => (
  <span className={large ? `${styles.sign} ${styles.large}` : styles.sign} data-tone={tone}>
    <Icon name={tone === 'ok' ? 'check' : 'warn'} />
  </span>
);
