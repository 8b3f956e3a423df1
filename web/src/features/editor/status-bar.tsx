import { useStoreValue } from '@mozhan/editor/store.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './editor-screen.module.css';
import { SavedAt } from './save-status.tsx';

const MAX_CHARACTERS = 200_000;

function Uploads({ editor: { pictures } }: { editor: EditorModel }) {
  const uploads = useStoreValue(pictures.list);
  const failed = uploads.find(({ problem }) => problem !== null);
  const [first] = uploads;
  if (failed !== undefined) {
    return (
      <span className={styles.upload} role="alert">
        {failed.name}：{failed.problem}
        <Button variant="ghost" size="small" onClick={() => pictures.retry(failed.token)}>
          重试
        </Button>
        <Button variant="ghost" size="small" onClick={() => pictures.remove(failed.token)}>
          移除
        </Button>
      </span>
    );
  }
  if (first === undefined) return null;
  const fraction = uploads.reduce((sum, each) => sum + each.fraction, 0) / uploads.length;
  return (
    <span className={styles.upload}>
      <span className={styles.fileName}>
        {uploads.length === 1 ? first.name : `${uploads.length} 张图片`}
      </span>
      <Progress value={fraction} label="上传进度" />
      {Math.round(fraction * 100)}%
    </span>
  );
}

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
      <Uploads editor={editor} />
    </footer>
  );
}
