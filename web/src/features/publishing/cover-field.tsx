import { useRef, useState } from 'react';
import type { Draft } from '#web/features/writing/draft.ts';
import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { ImageUpload, type ImageUploadHandle } from '#web/ui/image-upload.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './publish-drawer.module.css';

const WIDE = [{ label: '16:9', aspect: 16 / 9 }];
const SQUARE = [{ label: '1:1', aspect: 1 }];

interface CoverFieldProps {
  title: string;
  cover: string;
  shareCover: string;
  error: string | undefined;
  onChange: (changes: Partial<Draft>) => void;
  /** Called when a picture is sent; the returned function when that has ended. */
  onSending: () => () => void;
}

/**
 * The cover is an uploaded picture, one of the site's library, or none: then one is generated from the title.
 * A square can be cut from the same picture; another cover drops it.
 */
export function CoverField({ title, cover, shareCover, error, onChange, onSending }: CoverFieldProps) {
  const { filesUrl } = useApp();
  const [choosing, setChoosing] = useState(false);
  const square = useRef<ImageUploadHandle>(null);
  /** The picture that the cover was cut from, as long as the drawer is open. */
  const original = useRef<File>(undefined);
  const { data = [] } = useCall('GET core/sys/cover/', { kind: 'library' });
  const covers = Array.isArray(data) ? data : [];

  function replaceCover(changes: { cover?: string }, file?: File): void {
    original.current = file;
    onChange({ ...changes, shareCover: '' });
  }

  async function cropCover(): Promise<void> {
    if (original.current !== undefined) return square.current?.crop(original.current);
    try {
      const response = await fetch(fileUrl(filesUrl, cover));
      if (!response.ok) throw new Error(String(response.status));
      const blob = await response.blob();
      square.current?.crop(new File([blob], 'cover', { type: blob.type }));
    } catch {
      toast('没能打开封面，请稍后再试', 'warn');
    }
  }

  return (
    <div className="stack gap-1-5">
      <div className={styles.covers}>
        <ImageUpload
          stacked
          label="封面"
          value={cover}
          onChange={(path) => (path === '' ? replaceCover({ cover: '' }) : onChange({ cover: path }))}
          crop={WIDE}
          cropHint="列表里的封面是 16:9。下一步可以再裁一张方图，用在分享卡片上。"
          onChosen={(file) => {
            replaceCover({}, file);
            square.current?.crop(file);
          }}
          placeholder={<Cover title={title} image="" />}
          onSending={onSending}
        />
        <ImageUpload
          ref={square}
          stacked
          square
          label="分享卡片"
          value={shareCover}
          onChange={(path) => onChange({ shareCover: path })}
          crop={SQUARE}
          cropHint="分享到微信和 QQ 时显示的 1:1 方图。取消则从封面中间截取。"
          mustCrop
          placeholder={<Cover title={title} image={cover} />}
          onSending={onSending}
          actions={
            cover === '' || shareCover !== '' ? null : (
              <Button size="small" onClick={() => void cropCover()}>
                从封面裁剪
              </Button>
            )
          }
        />
      </div>
      <p className="ink-3 text-s">
        不上传封面时，用标题生成一张图案。分享卡片是微信和 QQ 里显示的方图，不设时从封面中间截取。
      </p>
      {error ? <p className={styles.error}>{error}</p> : null}
      {covers.length > 0 ? (
        <div>
          <Button
            variant="ghost"
            size="small"
            aria-expanded={choosing}
            onClick={() => setChoosing(!choosing)}
          >
            从封面库里选
          </Button>
        </div>
      ) : null}
      {choosing ? (
        <div className={styles.library}>
          {covers.map(({ id, title: name, image }) => (
            <button
              key={id}
              type="button"
              aria-label={name}
              aria-pressed={image === cover}
              onClick={() => replaceCover({ cover: image })}
            >
              <img src={fileUrl(filesUrl, image)} alt="" loading="lazy" />
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
