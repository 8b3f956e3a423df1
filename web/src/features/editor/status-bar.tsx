import { useStoreValue } from '@mozhan/editor/store.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import styles from './editor-screen.module.css';
import { SavedAt } from './save-status.tsx';
import { UploadStatus } from './upload-status.tsx';

const MAX_CHARACTERS = 200_000;

const statusLabels = ['草稿', '待审核', '待上架', '已上架', '已下架', '已驳回'];

export function StatusBar({ editor }: { editor: EditorModel }) {
  const { wordCount, readMinutes, characters } = useStoreValue(editor.counts);
  const { line, column } = useStoreValue(editor.cursor);
  const { status } = useStoreValue(editor.essay.statusInfo);
  const version = useStoreValue(editor.essay.version);
  const excess = characters - MAX_CHARACTERS;
  return (
    <footer className={`row gap-5 ink-3 text-xs numbers ${styles.status}`}>
      <SavedAt essay={editor.essay} />
      <span>{wordCount.toLocaleString('zh-CN')} 字</span>
      {excess > 0 ? (
        <span className={styles.over}>超出 {excess.toLocaleString('zh-CN')} 字，无法保存</span>
      ) : null}
      <span className={styles.wide}>约 {readMinutes} 分钟读完</span>
      <span className={styles.wide}>
        第 {line} 行，第 {column} 列
      </span>
      <span className={styles.wide}>
        {statusLabels[status]}
        {version > 0 ? ` v${version}` : ''}
      </span>
      <UploadStatus pictures={editor.pictures} />
    </footer>
  );
}
