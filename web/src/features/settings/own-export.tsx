import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { OwnExport as Run } from '@mozhan/contract/transfer.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatBytes } from '#web/lib/bytes.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import settings from './settings.module.css';
import styles from './tokens.module.css';

const POLL_MS = 1500;

const isRunning = (run: Run | null | undefined): boolean =>
  run?.status === 'waiting' || run?.status === 'running';

function LastExport({ run, onDownload }: { run: Run; onDownload: () => void }) {
  if (isRunning(run)) {
    const message = run.total === 0 ? '正在准备' : `正在导出：${run.done} / ${run.total}`;
    return (
      <div className={settings.none}>
        <p role="status">{message}</p>
        <Progress value={run.total === 0 ? 0 : run.done / run.total} label="导出的进度" />
      </div>
    );
  }
  if (run.file === null || run.bytes === null) {
    const message =
      run.status === 'done' ? '上次导出的文件已过期，请重新导出。' : '上次没有导出成功，请重试。';
    return <p className={settings.none}>{message}</p>;
  }
  return (
    <div className={settings.row}>
      <div>
        <h4>全部文章，{formatBytes(run.bytes)}</h4>
        <p>
          <RelativeTime at={run.createdAt} />
          导出，保留七天
        </p>
      </div>
      <Button size="small" onClick={onDownload}>
        下载 ZIP
      </Button>
    </div>
  );
}

export function OwnExport() {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/user/export');
  const { data, error, refetch } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (isRunning(state.data?.export) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: () => api('POST core/user/export', {}),
    onSuccess: (run) => queryClient.setQueryData(query.queryKey, { export: run }),
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  const last = data?.export ?? null;

  /** The URL expires after minutes, so a new one is requested. */
  async function download(): Promise<void> {
    const { data, error } = await refetch();
    const url = data?.export?.file?.url;
    if (url !== undefined) return location.assign(url);
    toast(error === null ? '文件已过期，请重新导出' : errorMessageOf(error), 'warn');
  }

  return (
    <section className={settings.part} aria-labelledby="own-export">
      <div className={styles.head}>
        <h3 id="own-export">导出我的文章</h3>
        <Button busy={start.isPending || isRunning(last)} onClick={() => start.mutate()}>
          开始导出
        </Button>
      </div>
      <p>全部文章和草稿，连同图片、附件和专栏，装成一个 ZIP：正文是 Markdown，到哪里都能用。一小时一次。</p>
      {error === null ? null : <LoadFailed error={error} onRetry={refetch} />}
      {last === null ? null : <LastExport run={last} onDownload={download} />}
    </section>
  );
}
