import { toggleTheme } from '#web/lib/theme.ts';
import { Button } from '#web/ui/button.tsx';
import { ThemeIcon } from '#web/ui/theme-icon.tsx';

export function ThemeButton() {
  return (
    <Button variant="ghost" square aria-label="切换深浅色" onClick={toggleTheme}>
      <ThemeIcon />
    </Button>
  );
}
