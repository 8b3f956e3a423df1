import styles from './alert.module.css';
import { Icon } from './icon.tsx';

interface ResultIconProps {
  tone: 'ok' | 'warn';
  large?: boolean;
}

export const ResultIcon = ({ tone, large = false }: ResultIconProps) => (
  <span className={large ? `${styles.sign} ${styles.large}` : styles.sign} data-tone={tone}>
    <Icon name={tone === 'ok' ? 'check' : 'warn'} />
  </span>
);
