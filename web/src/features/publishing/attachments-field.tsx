import { messageOf } from '@mozhan/client/errors.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { useRef, useState } from 'react';
import type { Writing } from '#web/features/writing/writing.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatBytes } from '#web/lib/bytes.ts';
import { Button } from '#web/ui/button.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './publish-drawer.module.css';

const MOST = 10;
const MEGABYTE = 1024 * 1024;
const MOST_MB = 50;

interface AttachmentsFieldProps {
  writing: Writing;
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Files that readers can download, in this order. */
export function AttachmentsField({ writing, error, onChange }: AttachmentsFieldProps) {
  const api = useApi();
  const { attachments } = useStore(writing.fields);
  const files = useStore(writing.files);
  const [sending, setSending] = useState<{ name: string; fraction: number } | null>(null);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);

  async function send(file: File): Promise<void> {
    if (file.size > MOST_MB * MEGABYTE) return setProblem(`${file.name} 超过 ${MOST_MB} MB`);
    setSending({ name: file.name, fraction: 0 });
    const onProgress = (fraction: number) => setSending({ name: file.name, fraction });
    const answer = await api('POST core/minio/upload', { kind: 'attachment' }, { file, onProgress });
    if (!('id' in answer)) return;
    const { id, name, bytes, type } = answer;
    writing.files.set([...writing.files.get(), { id, name, bytes, type }]);
    onChange([...writing.fields.get().attachments, id]);
  }

  async function take(chosen: File[]): Promise<void> {
    setProblem('');
    try {
      for (const file of chosen.slice(0, MOST - attachments.length)) await send(file);
    } catch (thrown) {
      setProblem(messageOf(thrown));
    } finally {
      setSending(null);
    }
  }

  function move(index: number, by: -1 | 1): void {
    const next = [...attachments];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + by, 0, moved);
    onChange(next);
  }

  const rows = attachments.map((id) => ({ id, file: files.find((each) => each.id === id) }));
  return (
    <div className="stack gap-1-5">
      <span className="flex apart text-m bold">
        附件
        <small>
          {attachments.length} / {MOST}
        </small>
      </span>
      <ul className={styles.files}>
        {rows.map(({ id, file }, index) => {
          const name = file?.name ?? '附件';
          return (
            <li key={id}>
              <span className="grow">{name}</span>
              <span className="ink-3 text-s">{file === undefined ? '' : formatBytes(file.bytes)}</span>
              {index > 0 ? (
                <Button look="ghost" size="small" aria-label={`上移 ${name}`} onClick={() => move(index, -1)}>
                  上移
                </Button>
              ) : null}
              <Button
                look="ghost"
                size="small"
                square
                aria-label={`移除 ${name}`}
                onClick={() => onChange(attachments.filter((each) => each !== id))}
              >
                <Icon name="close" small />
              </Button>
            </li>
          );
        })}
      </ul>
      {sending === null ? null : (
        <div className="row gap-2">
          <span className="grow">{sending.name}</span>
          <Progress value={sending.fraction} label="上传进度" />
        </div>
      )}
      {problem || error ? (
        <p className={styles.error} role="alert">
          {problem || error}
        </p>
      ) : null}
      <div>
        <Button
          size="small"
          busy={sending !== null || attachments.length >= MOST}
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" small />
          添加附件
        </Button>
      </div>
      <FileInput ref={input} label="选择附件" multiple onFiles={take} />
    </div>
  );
}
