import { Icon } from './icon.tsx';
import styles from './theme-icon.module.css';

/** Both icons are in the HTML and CSS shows one of them, so that it is correct before any script runs. */
export const ThemeIcon = () => (
  <>
    <span className={styles.whenLight}>
      <Icon name="moon" />
    </span>
    <span className={styles.whenDark}>
      <Icon name="sun" />
    </span>
  </>
);
