import { errorMessageOf } from '@mozhan/client/errors.ts';
import { attachmentLink } from '@mozhan/contract/attachment-link.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useMutation } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { formatBytes } from '#web/lib/bytes.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './downloads.module.css';

const formats = [
  { format: 'md', label: 'Markdown' },
  { format: 'epub', label: 'EPUB' },
] as const;

/** Diagrams outside the viewport are not drawn or loaded yet, so that is done before printing. */
async function printEssay(): Promise<void> {
  if (document.querySelector('[data-diagram]') === null) return print();
  const { printWithDiagrams } = await import('@mozhan/client/diagrams.ts');
  await printWithDiagrams();
}

/** Downloads for readers of the full text. Each request returns a URL that is valid for a limited time. */
export function Downloads({ essay: { id, locked, attachments } }: { essay: Essay }) {
  const api = useApi();
  const { mutate, isPending } = useMutation({
    mutationFn: (selection: { format?: 'md' | 'epub'; attachmentId?: string }) =>
      api('POST core/essay/download', { essayId: id, ...selection }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  if (locked !== null) {
    if (attachments.length === 0) return null;
    return <p className="ink-3 text-m">另有 {attachments.length} 个附件，能读全文的人可以下载。</p>;
  }
  const download = (selection: Parameters<typeof mutate>[0]) => isPending || mutate(selection);
  return (
    <section id="downloads" className={`no-print ${styles.downloads}`} aria-label="下载">
      {attachments.length === 0 ? null : (
        <ul>
          {attachments.map(({ id, name, bytes }) => (
            <li key={id} id={attachmentLink(id).slice(1)}>
              <button
                type="button"
                className="row gap-2 brand-hover divided text-m"
                aria-disabled={isPending || undefined}
                onClick={() => download({ attachmentId: id })}
              >
                <Icon name="download" small />
                <span>{name}</span>
                <small>{formatBytes(bytes)}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={`row wraps gap-2 ink-3 text-m ${styles.whole}`}>
        <span>下载全文</span>
        {formats.map(({ format, label }) => (
          <Button key={format} size="small" busy={isPending} onClick={() => download({ format })}>
            {label}
          </Button>
        ))}
        <Button size="small" onClick={() => void printEssay().catch(print)}>
          打印 / PDF
        </Button>
      </div>
    </section>
  );
}
