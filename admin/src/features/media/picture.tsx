import type { MediaFile } from '@mozhan/contract/media.ts';
import { Image } from 'antd';
import styles from './media.module.css';

/** Thumbnail that opens the whole picture, unless it is in messages between users only. */
export const Picture = ({ file, name }: { file: MediaFile; name: string }) =>
  file.thumbUrl === '' ? (
    <span className={styles.hidden}>聊天里的图片</span>
  ) : (
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
