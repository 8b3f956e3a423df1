import type { ReindexRun } from '@mozhan/contract/search-index.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Progress } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { call, useAction } from '#admin/lib/queries.ts';
import { usePolling } from '#admin/lib/use-polling.ts';
import { Can } from '#admin/ui/can.tsx';
import { CardHead } from '#admin/ui/card-head.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { Card, LoadError } from '#admin/ui/screen.tsx';
import { SecondaryText } from '#admin/ui/secondary-text.tsx';
import styles from './search.module.css';

const ROUTES = ['GET core/sys/search/reindex'] as const;

/** Essays that were published meanwhile are indexed too, so `done` may exceed `total`. */
const percentOf = ({ done, total }: ReindexRun): number =>
  Math.min(99, Math.floor((done / Math.max(1, total)) * 100));

function summaryOf({ state, done, total, startedBy, createdAt, finishedAt }: ReindexRun): string {
  const by = startedBy === null ? '' : `，由${startedBy.displayName}开始`;
  if (state === 'done')
    return `上次重建：${formatDateTime(finishedAt ?? createdAt)} 完成，共 ${done} 篇${by}`;
  return `上次重建：${formatDateTime(createdAt)}${by}，编入 ${done} / ${total} 篇后停止`;
}

function RunningRun({ run }: { run: ReindexRun }) {
  const act = useAction();
  const { id, done, total } = run;
  return (
    <>
      <div className={styles.progress}>
        <Progress percent={percentOf(run)} aria-label="重建的进度" />
        <Can permission="search:reindex">
          <Button
            size="small"
            onClick={() => void act((api) => api('DELETE core/sys/search/reindex', { id }), '已停止')}
          >
            停止
          </Button>
        </Can>
      </div>
      <SecondaryText>
        正在重建：已编入 {done} / {total} 篇，期间搜索照常可用
      </SecondaryText>
    </>
  );
}

/** Whether the index has the current dictionary, and the progress of the run that indexes all essays again. */
export function ReindexPanel() {
  const { api } = useApp();
  const act = useAction();
  const confirm = useConfirm();
  const { data, error, refetch } = useQuery(call(api, 'GET core/sys/search/reindex'));
  const last = data?.runs[0];
  const isRunning = last?.state === 'running';
  usePolling(isRunning, ROUTES);
  if (data === undefined)
    return error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />;

  async function start(): Promise<void> {
    const question = {
      title: `重建索引，共 ${data?.essayCount ?? 0} 篇？`,
      text: '在后台进行，期间搜索照常可用；文章多时要几分钟到几小时，可以随时停止。',
      action: '重建',
    };
    if (await confirm(question)) await act((api) => api('POST core/sys/search/reindex', {}), '已开始重建');
  }

  return (
    <section aria-label="索引">
      <Card>
        <CardHead title="索引">
          <Can permission="search:reindex">
            <Button size="small" onClick={() => void start()} disabled={isRunning}>
              重建索引
            </Button>
          </Can>
        </CardHead>
        {isRunning ? (
          <RunningRun run={last} />
        ) : (
          <>
            {data.isOutdated ? (
              <Alert
                className={styles.outdated}
                type="warning"
                showIcon
                title="词典改过，已上架的文章还没有按它编入索引"
                description="新的搜索已经使用改过的词典。词都改好之后重建一次索引，旧文章才能按新词精确找到。"
              />
            ) : null}
            <SecondaryText>{last === undefined ? '还没有重建过' : summaryOf(last)}</SecondaryText>
          </>
        )}
      </Card>
    </section>
  );
}
