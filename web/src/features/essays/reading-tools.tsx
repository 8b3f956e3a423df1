import { chooseReading, type Reading, toggleTheme, useTheme } from '#web/lib/theme.ts';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import { copyText } from './copy-text.ts';
import styles from './reading-tools.module.css';

const sizes: readonly Reading[] = ['s', 'm', 'l', 'xl'];

async function copyLink(): Promise<void> {
  if (await copyText(location.href.replace(/[?#].*/, ''))) toast('链接已复制');
}

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

/** Beside the text on a wide screen. */
export const Rail = () => (
  <div className={styles.rail} role="toolbar" aria-label="阅读工具">
    <Tool label="复制链接" icon="link" onClick={copyLink} />
    <Sizes />
    <Theme />
    <Tool label="打印" icon="print" onClick={() => print()} />
  </div>
);

function openContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>('#contents');
  if (contents === null) return;
  contents.open = true;
  contents.scrollIntoView();
  contents.querySelector('summary')?.focus({ preventScroll: true });
}

/** Under the thumb on others. */
export const ActionBar = ({ hasContents, always }: { hasContents: boolean; always: boolean }) => (
  <div
    className={always ? styles.bar : `${styles.bar} ${styles.narrow}`}
    role="toolbar"
    aria-label="阅读工具"
  >
    {hasContents ? <Tool label="目录" icon="toc" onClick={openContents} /> : null}
    <Sizes />
    <Theme />
    <Tool label="复制链接" icon="link" onClick={copyLink} />
  </div>
);
