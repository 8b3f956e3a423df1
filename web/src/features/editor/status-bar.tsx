import { useStore } from '@mozhan/editor/store.ts';
import type { Desk } from '#web/features/writing/desk.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { SavedAt } from './save-status.tsx';
import styles from './writer.module.css';

const MOST_CHARACTERS = 200_000;

function Uploads({ desk: { pictures } }: { desk: Desk }) {
  const uploads = useStore(pictures.list);
  const failed = uploads.find(({ problem }) => problem !== null);
  const [first] = uploads;
  if (failed !== undefined) {
    return (
      <span className={styles.upload} role="alert">
        {failed.name}：{failed.problem}
        <Button look="ghost" size="small" onClick={() => pictures.retry(failed.token)}>
          重试
        </Button>
        <Button look="ghost" size="small" onClick={() => pictures.remove(failed.token)}>
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

const stateNames = ['草稿', '待审核', '待上架', '已上架', '已下架', '已驳回'];

export function StatusBar({ desk }: { desk: Desk }) {
  const { wordCount, readMinutes, characters } = useStore(desk.counts);
  const { line, column } = useStore(desk.cursor);
  const { status } = useStore(desk.writing.facts);
  const version = useStore(desk.writing.version);
  const over = characters - MOST_CHARACTERS;
  return (
    <footer className={`row gap-5 ink-3 text-xs numbers ${styles.status}`}>
      <SavedAt writing={desk.writing} />
      <span>{wordCount.toLocaleString('zh-CN')} 字</span>
      {over > 0 ? (
        <span className={styles.over}>超出 {over.toLocaleString('zh-CN')} 字，无法保存</span>
      ) : null}
      <span className={styles.wide}>约 {readMinutes} 分钟读完</span>
      <span className={styles.wide}>
        第 {line} 行，第 {column} 列
      </span>
      <span className={styles.wide}>
        {stateNames[status]}
        {version > 0 ? ` v${version}` : ''}
      </span>
      <Uploads desk={desk} />
    </footer>
  );
}
