import { MAX_CONTENT_LENGTH } from '@mozhan/contract/content-length.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import styles from './editor-screen.module.css';
import { HintsButton } from './hints-button.tsx';
import { SavedAt } from './save-status.tsx';
import { UploadStatus } from './upload-status.tsx';

/** From here on the writer is told how much is left. */
const NEAR_LIMIT = 0.95 * MAX_CONTENT_LENGTH;

const statusLabels = ['草稿', '待审核', '待上架', '已上架', '已下架', '已驳回'];

/** A component of its own, because it changes with every key. */
function CursorPosition({ editor }: { editor: EditorModel }) {
  const { line, column } = useStoreValue(editor.cursor);
  return (
    <span className={styles.wide}>
      第 {line} 行，第 {column} 列
    </span>
  );
}

export function StatusBar({ editor }: { editor: EditorModel }) {
  const { wordCount, readMinutes, characters } = useStoreValue(editor.counts);
  const { status } = useStoreValue(editor.essay.statusInfo);
  const version = useStoreValue(editor.essay.version);
  const excess = characters - MAX_CONTENT_LENGTH;
  return (
    <footer className={`row gap-5 ink-3 text-xs numbers ${styles.status}`}>
      <SavedAt essay={editor.essay} />
      <span>{wordCount.toLocaleString('zh-CN')} 字</span>
      {excess > 0 ? (
        <span className={styles.over}>超出 {excess.toLocaleString('zh-CN')} 个字符，不能保存</span>
      ) : characters > NEAR_LIMIT ? (
        <span className={styles.over}>
          还能写 {(MAX_CONTENT_LENGTH - characters).toLocaleString('zh-CN')} 个字符
        </span>
      ) : null}
      {wordCount === 0 ? null : <span className={styles.wide}>约 {readMinutes} 分钟读完</span>}
      <CursorPosition editor={editor} />
      <span className={styles.wide}>
        {statusLabels[status]}
        {version > 0 ? ` v${version}` : ''}
      </span>
      <HintsButton editor={editor} />
      <UploadStatus pictures={editor.pictures} />
    </footer>
  );
}
