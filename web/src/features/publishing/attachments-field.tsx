import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { EssayModel } from '#web/features/writing/essay-model.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatBytes, formatSpace } from '#web/lib/bytes.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { FileInput } from '#web/ui/file-input.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './publish-drawer.module.css';

const MAX_FILES = 10;
const MEGABYTE = 1024 * 1024;
const MAX_MB = 50;

interface AttachmentsFieldProps {
  essay: EssayModel;
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Files that readers can download, in this order. */
export function AttachmentsField({ essay, error, onChange }: AttachmentsFieldProps) {
  const api = useApi();
  const { attachments } = useStoreValue(essay.fields);
  const files = useStoreValue(essay.files);
  const [uploading, setUploading] = useState<{ name: string; fraction: number } | null>(null);
  const [problem, setProblem] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { data: storage, refetch } = useQuery(callQuery(api, 'GET core/user/storage'));

  async function upload(file: File): Promise<void> {
    if (file.size > MAX_MB * MEGABYTE) return setProblem(`${file.name} 超过 ${MAX_MB} MB`);
    setUploading({ name: file.name, fraction: 0 });
    const onProgress = (fraction: number) => setUploading({ name: file.name, fraction });
    const answer = await api('POST core/minio/upload', { kind: 'attachment' }, { file, onProgress });
    if (!('id' in answer)) return;
    const { id, name, bytes, type } = answer;
    essay.files.set([...essay.files.get(), { id, name, bytes, type }]);
    onChange([...essay.fields.get().attachments, id]);
  }

  async function uploadAll(chosen: File[]): Promise<void> {
    setProblem('');
    const endUpload = essay.beginUpload();
    try {
      for (const file of chosen.slice(0, MAX_FILES - attachments.length)) await upload(file);
    } catch (thrown) {
      setProblem(errorMessageOf(thrown));
    } finally {
      endUpload();
      setUploading(null);
      void refetch();
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
          {attachments.length} / {MAX_FILES}
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
                <Button
                  variant="ghost"
                  size="small"
                  aria-label={`上移 ${name}`}
                  onClick={() => move(index, -1)}
                >
                  上移
                </Button>
              ) : null}
              <Button
                variant="ghost"
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
      {uploading === null ? null : (
        <div className="row gap-2">
          <span className="grow">{uploading.name}</span>
          <Progress value={uploading.fraction} label="上传进度" />
        </div>
      )}
      {problem || error ? (
        <p className={styles.error} role="alert">
          {problem || error}
        </p>
      ) : null}
      <div className="row gap-2">
        <Button
          size="small"
          busy={uploading !== null || attachments.length >= MAX_FILES}
          onClick={() => input.current?.click()}
        >
          <Icon name="upload" small />
          添加附件
        </Button>
        {storage === undefined ? null : (
          <small className="ink-3 text-s">{formatSpace(storage.attachment)}</small>
        )}
      </div>
      <FileInput ref={input} label="选择附件" multiple onFiles={uploadAll} />
    </div>
  );
}
