import type { Transfer } from '@mozhan/contract/transfer.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { App, Button, Flex, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { callPage } from '#admin/lib/paged.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { Can } from '#admin/ui/can.tsx';
import { LoadError } from '#admin/ui/screen.tsx';
import { SmallPagination } from '#admin/ui/small-pagination.tsx';
import { TruncatedText } from '#admin/ui/truncated-text.tsx';
import styles from './transfer.module.css';

const PAGE_SIZE = 10;

/** Pictures and attachments on other hosts that could not be fetched, with the reasons. */
export function RemotePictures({ transfer: { id, pictures } }: { transfer: Transfer }) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [isSending, setIsSending] = useState(false);
  const { data, error, refetch } = useQuery({
    ...callPage(api, 'GET core/sys/transfer/picture', { id, status: 'failed', page, pageSize: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });

  async function retry(): Promise<void> {
    setIsSending(true);
    try {
      await api('POST core/sys/transfer/picture/retry', { id });
      setPage(1);
      message.success('已开始重取');
      await client.invalidateQueries();
    } catch (thrown) {
      showError(thrown);
    } finally {
      setIsSending(false);
    }
  }

  return (
    <section aria-label="没有取到的图片与附件">
      <Flex justify="space-between" align="center" gap={8}>
        <strong>没有取到的图片与附件 {pictures.failed.toLocaleString('zh-CN')} 个</strong>
        <Can permission="transfer:create">
          <Button size="small" loading={isSending} onClick={() => void retry()}>
            重试
          </Button>
        </Can>
      </Flex>
      {data === undefined && error === null ? <Skeleton active title={false} /> : null}
      {data === undefined && error !== null ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : null}
      <ul className={styles.items}>
        {data?.list.map((picture) => (
          <li key={picture.id}>
            <div>
              <a href={picture.url} target="_blank" rel="noopener noreferrer">
                <TruncatedText text={picture.url} width="wide" />
              </a>
            </div>
            <p>
              {picture.kind === 'attachment' ? '附件：' : ''}
              {picture.error}
              {picture.usedIn
                .map(({ title, isCover }) => `；${isCover ? '封面：' : ''}《${title}》`)
                .join('')}
            </p>
          </li>
        ))}
      </ul>
      <SmallPagination page={page} pageSize={PAGE_SIZE} total={data?.total ?? 0} onChange={setPage} />
    </section>
  );
}
