import { useState } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { fileUrl } from '#web/lib/files.ts';
import { useCall } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { ImageUpload } from '#web/ui/image-upload.tsx';
import styles from './publish-drawer.module.css';

/** Share cards show the cover in its own shape, lists cut it to theirs. */
const COVER_SHAPES = [
  { label: '16:9，适合列表', aspect: 16 / 9 },
  { label: '1:1，适合分享卡片', aspect: 1 },
];

interface CoverFieldProps {
  title: string;
  cover: string;
  error: string | undefined;
  onChange: (cover: string) => void;
}

/** An uploaded picture, one of the site's library, or none: then one is generated from the title. */
export function CoverField({ title, cover, error, onChange }: CoverFieldProps) {
  const { filesUrl } = useApp();
  const [choosing, setChoosing] = useState(false);
  const { data = [] } = useCall('GET core/sys/cover/', { kind: 'library' });
  const covers = Array.isArray(data) ? data : [];
  return (
    <div className="stack gap-1-5">
      <ImageUpload
        label="封面"
        value={cover}
        onChange={onChange}
        crop={COVER_SHAPES}
        placeholder={<Cover title={title} image="" />}
        hint="不上传时，用标题生成一张图案。"
      />
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
              onClick={() => onChange(image)}
            >
              <img src={fileUrl(filesUrl, image)} alt="" loading="lazy" />
            </button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
