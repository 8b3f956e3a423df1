import { chooseReading, type Reading, toggleTheme, useTheme } from '#web/lib/theme.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { ThemeIcon } from '#web/ui/theme-icon.tsx';
import styles from './reading-tools.module.css';

const sizes: readonly Reading[] = ['s', 'm', 'l', 'xl'];

interface ToolProps {
  label: string;
  icon: IconName;
  off?: boolean;
  onClick: () => unknown;
}

const Tool = ({ label, icon, off = false, onClick }: ToolProps) => (
  <IconButton
    label={label}
    title={label}
    aria-disabled={off || undefined}
    onClick={off ? undefined : onClick}
  >
    <Icon name={icon} />
  </IconButton>
);

function Sizes() {
  const at = sizes.indexOf(useTheme().reading);
  const [smaller, larger] = [sizes[at - 1], sizes[at + 1]];
  return (
    <>
      <Tool
        label="缩小文字"
        icon="textSmaller"
        off={smaller === undefined}
        onClick={() => smaller && chooseReading(smaller)}
      />
      <Tool
        label="放大文字"
        icon="textLarger"
        off={larger === undefined}
        onClick={() => larger && chooseReading(larger)}
      />
    </>
  );
}

const Theme = () => (
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

interface ReadingToolsProps {
  /** Side by side, where the contents are not beside the text. */
  row?: boolean;
  hasContents?: boolean;
}

/** How the text is to be read. */
export const ReadingTools = ({ row = false, hasContents = false }: ReadingToolsProps) => (
  <div className={row ? styles.row : styles.column} role="toolbar" aria-label="阅读工具">
    {hasContents ? <Tool label="目录" icon="toc" onClick={openContents} /> : null}
    <Sizes />
    <Theme />
  </div>
);
