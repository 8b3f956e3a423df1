import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import { Button } from './button.tsx';
import { FieldError } from './field.tsx';
import { Icon } from './icon-set.tsx';
import styles from './image-upload.module.css';
import { Progress } from './progress.tsx';
import { useImageUpload } from './use-image-upload.ts';

interface ImageUploadProps {
  label: string;
  /** Path of the picture; empty for none. */
  value: string;
  onChange: (path: string) => void;
  hint?: ReactNode;
  /** For a face. */
  round?: boolean;
  /** What is shown where there is no picture. */
  blank?: ReactNode;
}

const FORMATS = 'image/jpeg,image/png,image/webp,image/gif';

/** Takes one picture, picked or dropped. */
export function ImageUpload({ label, value, onChange, hint, round = false, blank }: ImageUploadProps) {
  const id = useId();
  const { filesUrl } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { upload, send, stop } = useImageUpload(onChange);
  const pick = () => input.current?.click();

  function take(files: FileList | null): void {
    const file = files?.[0];
    if (file !== undefined) void send(file);
  }

  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }

  function onDragLeave(event: DragEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  }

  const shown = upload.at === 'sending' ? upload.preview : value && fileUrl(filesUrl, value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out this way in every browser
    <div
      className={styles.upload}
      role="group"
      aria-labelledby={id}
      data-over={over || undefined}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      <span id={id} className={`text-m bold ${styles.label}`}>
        {label}
      </span>
      <div
        className={round ? `${styles.frame} ${styles.round}` : styles.frame}
        data-filled={shown || blank ? true : undefined}
      >
        {shown ? <img src={shown} alt="" /> : (blank ?? <Icon name="image" />)}
      </div>
      <div className="stack gap-2">
        {upload.at === 'sending' ? (
          <Sending fraction={upload.fraction} onStop={stop} />
        ) : (
          <>
            {upload.at === 'failed' ? <FieldError error={upload.sentence} role="alert" /> : null}
            <div className="flex wraps gap-2">
              {upload.at === 'failed' && upload.file !== undefined ? (
                <Button size="small" onClick={() => upload.file && send(upload.file)}>
                  <Icon name="refresh" small />
                  重试
                </Button>
              ) : null}
              <Button size="small" onClick={pick}>
                <Icon name="upload" small />
                {shown ? '换一张' : '选择图片'}
              </Button>
              {value ? (
                <Button look="ghost" size="small" onClick={() => onChange('')}>
                  移除
                </Button>
              ) : null}
            </div>
            {hint ? <p className="ink-3 text-s">{hint}</p> : null}
          </>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={FORMATS}
        hidden
        aria-labelledby={id}
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file again is to count as another choice.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function Sending({ fraction, onStop }: { fraction: number; onStop: () => void }) {
  return (
    <>
      <div className="flex apart ink-2 text-s numbers">
        <span>{fraction < 1 ? '正在上传…' : '正在处理…'}</span>
        <span>{Math.round(fraction * 100)}%</span>
      </div>
      <Progress value={fraction} label="上传进度" />
      <div className="flex wraps gap-2">
        <Button size="small" onClick={onStop}>
          取消
        </Button>
      </div>
    </>
  );
}
