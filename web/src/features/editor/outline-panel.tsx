import { useStoreValue } from '@mozhan/editor/store.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import styles from './editor-screen.module.css';

export function OutlinePanel({ editor }: { editor: EditorModel }) {
  const headings = useStoreValue(editor.headings);
  return (
    <nav className={styles.outline} aria-label="大纲">
      {headings.length === 0 ? (
        <p className="ink-3">行首输入 ## 和空格，写下第一个标题</p>
      ) : (
        <ol>
          {headings.map(({ from, level, text }) => (
            <li key={from} data-level={level}>
              <button type="button" onClick={() => editor.goTo(from)}>
                {text || '（空标题）'}
              </button>
            </li>
          ))}
        </ol>
      )}
    </nav>
  );
}
