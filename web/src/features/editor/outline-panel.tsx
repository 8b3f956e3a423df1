import { useStore } from '@mozhan/editor/store.ts';
import type { Desk } from '#web/features/writing/desk.ts';
import styles from './writer.module.css';

/** The headings; a click goes to the one in the text. */
export function OutlinePanel({ desk }: { desk: Desk }) {
  const headings = useStore(desk.headings);
  return (
    <nav className={styles.outline} aria-label="大纲">
      {headings.length === 0 ? (
        <p className="ink-3">行首输入 ## 和空格，写下第一个标题</p>
      ) : (
        <ol>
          {headings.map(({ from, level, text }) => (
            <li key={from} data-level={level}>
              <button type="button" onClick={() => desk.goTo(from)}>
                {text || '（空标题）'}
              </button>
            </li>
          ))}
        </ol>
      )}
    </nav>
  );
}
