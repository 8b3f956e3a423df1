import type { MediaFile } from '@mozhan/contract/media.ts';
import { Image } from 'antd';
import styles from './media.module.css';

/** Thumbnail that opens the whole picture. */
export const Picture = ({ file, name }: { file: MediaFile; name: string }) => (
  <Image
    src={file.thumbUrl}
    alt={name}
    width={96}
    height={60}
    loading="lazy"
    classNames={{ image: styles.thumbnail ?? '' }}
    preview={{ src: file.url }}
  />
);
