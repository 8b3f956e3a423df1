import { toggleTheme } from '#web/lib/theme.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import styles from './theme-button.module.css';

/** Both icons are in the page; which one is seen follows the theme, also before any script has run. */
export function ThemeButton() {
  return (
    <Button look="ghost" square aria-label="切换深浅色" onClick={toggleTheme}>
      <span className={styles.whenLight}>
        <Icon name="moon" />
      </span>
      <span className={styles.whenDark}>
        <Icon name="sun" />
      </span>
    </Button>
  );
}
