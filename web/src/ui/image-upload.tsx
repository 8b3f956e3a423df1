import {
  type DragEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import { lazyComponent, useLoaded } from '../lib/lazy-component.ts';
import { Button } from './button.tsx';
import type { CropShape } from './crop-dialog.tsx';
import { FieldError } from './field.tsx';
import { Icon } from './icon-set.tsx';
import styles from './image-upload.module.css';
import { Optional } from './optional.tsx';
import { Progress } from './progress.tsx';
import { useImageUpload } from './use-image-upload.ts';

export interface ImageUploadHandle {
  /** Opens the crop dialog with a picture that was chosen elsewhere. */
  crop: (file: File) => void;
}

interface ImageUploadProps {
  ref?: Ref<ImageUploadHandle>;
  label: string;
  /** Path of the picture; empty for none. */
  value: string;
  onChange: (path: string) => void;
  hint?: ReactNode;
  round?: boolean;
  square?: boolean;
  /** Places the buttons below the picture. */
  stacked?: boolean;
  placeholder?: ReactNode;
  /** Buttons after 「上传」 and 「移除」. */
  actions?: ReactNode;
  /** The shapes that a chosen picture can be cropped to before the upload. */
  crop?: readonly CropShape[];
  cropHint?: string;
  /** The picture cannot be used uncropped. */
  mustCrop?: boolean;
  /** Called with the uncropped picture when the writer has cropped it or uses it as it is. */
  onChosen?: (file: File) => void;
  /** Called when a picture is sent; the returned function when that has ended. */
  onSending?: () => () => void;
}

const CropDialog = lazyComponent(() => import('./crop-dialog.tsx'), 'CropDialog');

const FORMATS = 'image/jpeg,image/png,image/webp,image/gif';

/** Uploads one picture, chosen or dropped. */
export function ImageUpload({
  ref,
  label,
  value,
  onChange,
  hint,
  round = false,
  square = false,
  stacked = false,
  placeholder,
  actions,
  crop,
  cropHint,
  mustCrop = false,
  onChosen,
  onSending,
}: ImageUploadProps) {
  const id = useId();
  const { filesUrl } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [isDragOver, setDragOver] = useState(false);
  const [uncropped, setUncropped] = useState<File | null>(null);
  const { upload, send, cancel } = useImageUpload(onChange);
  const canCrop = useLoaded(CropDialog, uncropped !== null);
  const isSending = upload.state === 'sending';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new callback is not another upload
  useEffect(() => (isSending ? onSending?.() : undefined), [isSending]);
  useImperativeHandle(ref, () => ({ crop: setUncropped }), []);
  const openFilePicker = () => input.current?.click();

  function uploadFirst(files: FileList | null): void {
    const file = files?.[0];
    if (file === undefined) return;
    if (crop !== undefined && file.type.startsWith('image/') && file.size > 0) setUncropped(file);
    else void send(file);
  }

  function sendChosen(file: File, original: File): void {
    void send(file);
    onChosen?.(original);
  }

  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setDragOver(true);
  }

  function onDragLeave(event: DragEvent): void {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragOver(false);
  }

  function onDrop(event: DragEvent): void {
    event.preventDefault();
    setDragOver(false);
    uploadFirst(event.dataTransfer.files);
  }

  const imageUrl = upload.state === 'sending' ? upload.preview : value && fileUrl(filesUrl, value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser supports grid layout of a fieldset
    <div
      className={stacked ? `${styles.upload} ${styles.stacked}` : styles.upload}
      role="group"
      aria-labelledby={id}
      data-over={isDragOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      <span id={id} className={`text-m bold ${styles.label}`}>
        {label}
      </span>
      <div
        className={[styles.frame, round && styles.round, square && styles.square].filter(Boolean).join(' ')}
        data-filled={imageUrl || placeholder ? true : undefined}
      >
        {imageUrl ? <img src={imageUrl} alt="" /> : (placeholder ?? <Icon name="image" />)}
      </div>
      <div className="stack gap-2">
        {upload.state === 'sending' ? (
          <UploadProgress fraction={upload.fraction} onCancel={cancel} />
        ) : (
          <>
            {upload.state === 'failed' ? <FieldError error={upload.message} role="alert" /> : null}
            <div className="flex wraps gap-2">
              {upload.state === 'failed' && upload.file !== undefined ? (
                <Button size="small" onClick={() => upload.file && send(upload.file)}>
                  <Icon name="refresh" small />
                  重试
                </Button>
              ) : null}
              <Button size="small" onClick={openFilePicker}>
                <Icon name="upload" small />
                {imageUrl ? '换一张' : '选择图片'}
              </Button>
              {value ? (
                <Button variant="ghost" size="small" onClick={() => onChange('')}>
                  移除
                </Button>
              ) : null}
              {actions}
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
          uploadFirst(event.currentTarget.files);
          // Reset, so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
        }}
      />
      <Optional>
        {uncropped === null || crop === undefined || !canCrop ? null : (
          <CropDialog
            open
            onOpenChange={() => setUncropped(null)}
            title={`裁剪${label}`}
            hint={cropHint}
            file={uncropped}
            shapes={crop}
            round={round}
            onDone={(file) => sendChosen(file, uncropped)}
            onSkip={mustCrop ? undefined : () => sendChosen(uncropped, uncropped)}
          />
        )}
      </Optional>
    </div>
  );
}

function UploadProgress({ fraction, onCancel }: { fraction: number; onCancel: () => void }) {
  return (
    <>
      <div className="flex apart ink-2 text-s numbers">
        <span>{fraction < 1 ? '正在上传…' : '正在处理…'}</span>
        <span>{Math.round(fraction * 100)}%</span>
      </div>
      <Progress value={fraction} label="上传进度" />
      <div className="flex wraps gap-2">
        <Button size="small" onClick={onCancel}>
          取消
        </Button>
      </div>
    </>
  );
}
