import { isRemote, type PictureUploads } from '@mozhan/editor/picture-uploads.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { Button } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './editor-screen.module.css';

/** Pictures that are being uploaded or fetched, and those that could not be. */
export function UploadStatus({ pictures }: { pictures: PictureUploads }) {
  const uploads = useStoreValue(pictures.list);
  const failed = uploads.filter(({ problem }) => problem !== null);
  const failedFile = failed.find((each) => !isRemote(each));
  const [failedRemote] = failed.filter(isRemote);
  const files = uploads.filter((each) => !isRemote(each));
  const fetching = uploads.filter((each) => isRemote(each) && each.problem === null);
  const [firstFile] = files;
  if (failedFile !== undefined) {
    return (
      <span className={styles.upload} role="alert">
        {failedFile.name}：{failedFile.problem}
        <Button variant="ghost" size="small" onClick={() => pictures.retry(failedFile.token)}>
          重试
        </Button>
        <Button variant="ghost" size="small" onClick={() => pictures.remove(failedFile.token)}>
          移除
        </Button>
      </span>
    );
  }
  if (firstFile !== undefined) {
    const fraction = files.reduce((sum, each) => sum + each.fraction, 0) / files.length;
    return (
      <span className={styles.upload}>
        <span className={styles.fileName}>
          {files.length === 1 ? firstFile.name : `${files.length} 张图片`}
        </span>
        <Progress value={fraction} label="上传进度" />
        {Math.round(fraction * 100)}%
      </span>
    );
  }
  if (fetching.length > 0) {
    return (
      <span className={styles.upload} role="status">
        正在转存 {fetching.length} 张网络图片…
      </span>
    );
  }
  if (failedRemote === undefined) return null;
  const count = failed.filter(isRemote).length;
  const title = `${count} 张图片没能转存（${failedRemote.problem}），仍用原来的地址，发布后会显示为链接`;
  return (
    <span className={styles.upload} role="alert">
      <span className={styles.fileName} title={title}>
        {title}
      </span>
      <Button variant="ghost" size="small" onClick={() => pictures.retryRemote()}>
        重试
      </Button>
      <Button variant="ghost" size="small" onClick={() => pictures.keepRemote()}>
        知道了
      </Button>
    </span>
  );
}
