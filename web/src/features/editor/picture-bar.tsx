import { Toolbar as Base } from '@base-ui/react/toolbar';
import type { EditorView } from '@codemirror/view';
import { errorMessageOf } from '@mozhan/client/errors.ts';
import { type PictureInText, pictureWidths, updatePicture } from '@mozhan/editor/pictures.ts';
import { useState } from 'react';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { buttonClass } from '#web/ui/button.tsx';
import type { CropShape } from '#web/ui/crop-dialog.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './context-bar.module.css';

const CropDialog = lazyComponent(() => import('#web/ui/crop-dialog.tsx'), 'CropDialog');
const PictureDialog = lazyComponent(() => import('./picture-dialog.tsx'), 'PictureDialog');

const shapes: readonly CropShape[] = [
  { label: '原比例', aspect: 'original' },
  { label: '自由', aspect: 'free' },
  { label: '16:9', aspect: 16 / 9 },
  { label: '4:3', aspect: 4 / 3 },
  { label: '1:1', aspect: 1 },
  { label: '3:4', aspect: 3 / 4 },
];

const toolClass = `${buttonClass({ variant: 'ghost', size: 'small' })} ${styles.tool}`;

interface PictureBarProps {
  view: EditorView;
  picture: PictureInText;
}

/** Describes, sizes and crops the picture at the cursor. Alt+F10 moves the focus here, Escape back to the text. */
export function PictureBar({ view, picture }: PictureBarProps) {
  const api = useApi();
  const { filesUrl } = useApp();
  const [edited, setEdited] = useState<PictureInText | null>(null);
  const [cropped, setCropped] = useState<{ picture: PictureInText; file: Blob } | null>(null);
  const isOwn = picture.url.startsWith('/files/');

  async function startCrop(): Promise<void> {
    try {
      const response = await fetch(fileUrl(filesUrl, picture.url));
      if (!response.ok) throw new Error(String(response.status));
      setCropped({ picture, file: await response.blob() });
    } catch {
      toast('没能打开这张图片，请稍后再试', 'warn');
    }
  }

  /** The original stays among the writer's uploads, and undoing brings it back. */
  async function upload(target: PictureInText, file: File): Promise<void> {
    try {
      const { path } = await api('POST core/minio/upload', { kind: 'image' }, { file });
      if (!updatePicture(view, target, { url: path })) toast('这张图片已经不在正文里了', 'warn');
    } catch (error) {
      toast(`裁剪后的图片没有传上去：${errorMessageOf(error)}`, 'warn');
    }
  }

  return (
    <>
      <Base.Root
        className={`popup ${styles.bar}`}
        aria-label="图片"
        data-context-bar
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          view.focus();
        }}
      >
        <Base.Group className={styles.group} aria-label="说明">
          <Base.Button className={toolClass} onClick={() => setEdited(picture)}>
            文字说明
          </Base.Button>
        </Base.Group>
        <Base.Group className={styles.group} aria-label="宽度">
          <span className="ink-3 text-xs" aria-hidden="true">
            宽度
          </span>
          {pictureWidths.map((width) => (
            <Base.Button
              key={width}
              className={toolClass}
              aria-pressed={picture.width === width}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => updatePicture(view, picture, { width })}
            >
              {width ?? '原始'}
            </Base.Button>
          ))}
        </Base.Group>
        <Base.Group className={styles.group} aria-label="裁剪">
          <Base.Button
            className={toolClass}
            disabled={!isOwn}
            title={isOwn ? undefined : '只能裁剪本站的图片'}
            onClick={() => void startCrop()}
          >
            裁剪
          </Base.Button>
        </Base.Group>
      </Base.Root>
      <Optional>
        {edited === null ? null : (
          <PictureDialog
            picture={edited}
            onSave={(fields) => updatePicture(view, edited, fields)}
            onClose={() => {
              setEdited(null);
              view.focus();
            }}
          />
        )}
        {cropped === null ? null : (
          <CropDialog
            open
            onOpenChange={() => setCropped(null)}
            title="裁剪图片"
            file={cropped.file}
            shapes={shapes}
            onDone={(file) => void upload(cropped.picture, file)}
          />
        )}
      </Optional>
    </>
  );
}
