import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatBytes, formatSpace } from '#web/lib/bytes.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { toast } from '#web/ui/toast.tsx';
import settings from './settings.module.css';
import styles from './tokens.module.css';

/** How much space the own pictures and attachments take, and a button that removes unused ones. */
export function OwnStorage({ hasAttachments }: { hasAttachments: boolean }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/user/storage');
  const { data, error, refetch } = useQuery(query);
  const clean = useMutation({
    mutationFn: () => api('DELETE core/user/storage', {}),
    onSuccess: (storage) => {
      queryClient.setQueryData(query.queryKey, storage);
      toast('已清理');
    },
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  const unused = data?.unused.count ?? 0;
  return (
    <section className={settings.part} aria-labelledby="own-storage">
      <div className={styles.head}>
        <h3 id="own-storage">上传空间</h3>
        {unused === 0 ? null : (
          <Button busy={clean.isPending} onClick={() => clean.mutate()}>
            清理未使用的文件
          </Button>
        )}
      </div>
      {error === null ? null : <LoadFailed error={error} onRetry={refetch} />}
      {data === undefined ? null : (
        <>
          <p>图片：{formatSpace(data.image)}</p>
          {hasAttachments ? <p>附件：{formatSpace(data.attachment)}</p> : null}
          <p className="ink-3">
            {unused === 0
              ? '没有可以清理的文件。文章、评论、头像等处用到的，以及上传不满 24 小时的，都会保留。'
              : `其中 ${unused} 个文件未使用，共 ${formatBytes(data.unused.bytes)}，可以清理。上传不满 24 小时的会保留。`}
          </p>
        </>
      )}
    </section>
  );
}
