import { useMutation } from '@tanstack/react-query';
import type { Essay } from '#contract/essays.ts';
import { useApi } from '#web/lib/app-context.ts';
import { messageOf } from '#web/lib/errors.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './downloads.module.css';

const MB = 1024 * 1024;

const sizeOf = (bytes: number) =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / MB).toFixed(1)} MB`;

/** What can be taken along by whoever may read all of it. Each asking gives an address that works for a while. */
export function Downloads({ essay: { id, title, locked, attachments } }: { essay: Essay }) {
  const api = useApi();
  const { mutate, isPending } = useMutation({
    mutationFn: (attachmentId: string | undefined) =>
      api('POST core/essay/download', { essayId: id, ...(attachmentId && { attachmentId }) }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast(messageOf(error), 'warn'),
  });
  if (locked !== null) {
    if (attachments.length === 0) return null;
    return <p className={styles.locked}>另有 {attachments.length} 个附件，读到全文的人可以下载。</p>;
  }
  const files = [
    ...attachments.map(({ id, name, bytes }) => ({ key: id, id, name, size: sizeOf(bytes) })),
    { key: 'text', id: undefined, name: `${title}.md`, size: '全文' },
  ];
  return (
    <section className={styles.downloads} aria-label="下载">
      <ul>
        {files.map(({ key, id, name, size }) => (
          <li key={key}>
            <button
              type="button"
              aria-disabled={isPending || undefined}
              onClick={() => isPending || mutate(id)}
            >
              <Icon name="download" small />
              <span>{name}</span>
              <small>{size}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
