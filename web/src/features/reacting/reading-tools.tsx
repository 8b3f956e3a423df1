import { setTextSize, type TextSize, toggleTheme, useTheme } from '#web/lib/theme.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { ThemeIcon } from '#web/ui/theme-icon.tsx';
import styles from './reading-tools.module.css';

const sizes: readonly TextSize[] = ['s', 'm', 'l', 'xl'];

interface ToolProps {
  label: string;
  icon: IconName;
  disabled?: boolean;
  onClick: () => unknown;
}

const Tool = ({ label, icon, disabled = false, onClick }: ToolProps) => (
  <IconButton
    label={label}
    title={label}
    aria-disabled={disabled || undefined}
    onClick={disabled ? undefined : onClick}
  >
    <Icon name={icon} />
  </IconButton>
);

function TextSizeTools() {
  const index = sizes.indexOf(useTheme().textSize);
  const [smaller, larger] = [sizes[index - 1], sizes[index + 1]];
  return (
    <>
      <Tool
        label="缩小文字"
        icon="textSmaller"
        disabled={smaller === undefined}
        onClick={() => smaller && setTextSize(smaller)}
      />
      <Tool
        label="放大文字"
        icon="textLarger"
        disabled={larger === undefined}
        onClick={() => larger && setTextSize(larger)}
      />
    </>
  );
}

const ThemeTool = () => (
  <IconButton label="切换深浅色" title="切换深浅色" onClick={toggleTheme}>
    <ThemeIcon />
  </IconButton>
);

function openContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('#contents');
  if (contents === null) return;
  contents.open = true;
  contents.scrollIntoView();
  contents.querySelector('summary')?.focus({ preventScroll: true });
}

/** `hasContents`: for screens without the contents beside the text. */
export const ReadingTools = ({ hasContents }: { hasContents: boolean }) => (
  <div className={styles.row} role="toolbar" aria-label="阅读工具">
    {hasContents ? <Tool label="目录" icon="toc" onClick={openContents} /> : null}
    <TextSizeTools />
    <ThemeTool />
  </div>
);
