import { chooseReading, type Reading, toggleTheme, useTheme } from '#web/lib/theme.ts';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import styles from './reading-tools.module.css';

const sizes: readonly Reading[] = ['s', 'm', 'l', 'xl'];

interface ToolProps {
  label: string;
  icon: IconName;
  off?: boolean;
  onClick: () => unknown;
}

const Tool = ({ label, icon, off = false, onClick }: ToolProps) => (
  <button
    type="button"
    className={styles.tool}
    aria-label={label}
    title={label}
    aria-disabled={off || undefined}
    onClick={off ? undefined : onClick}
  >
    <Icon name={icon} />
  </button>
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

/** Both icons are in the page, as in the header: which one is seen follows the theme. */
const Theme = () => (
  <button
    type="button"
    className={styles.tool}
    aria-label="切换深浅色"
    title="切换深浅色"
    onClick={toggleTheme}
  >
    <span className={styles.whenLight}>
      <Icon name="moon" />
    </span>
    <span className={styles.whenDark}>
      <Icon name="sun" />
    </span>
  </button>
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
