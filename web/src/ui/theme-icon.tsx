import { Icon } from './icon.tsx';
import styles from './theme-icon.module.css';

/** Both icons are in the page; which one is seen follows the theme, also before any script has run. */
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
