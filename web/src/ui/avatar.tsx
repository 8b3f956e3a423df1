import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import styles from './avatar.module.css';
import { Hills } from './hills.tsx';

type Size = 'small' | 'medium' | 'face' | 'author' | 'large' | 'profile';

interface AvatarProps {
  /** Whose; decides the generated picture. */
  name: string;
  image: string;
  size?: Size;
}

/** The name stands beside it or in the label of what it is in. */
export function Avatar({ name, image, size = 'medium' }: AvatarProps) {
  const { filesUrl } = useApp();
  return (
    <span className={`${styles.avatar} ${styles[size]}`}>
      {image === '' ? (
        <Hills seed={name} />
      ) : (
        <img src={fileUrl(filesUrl, image)} alt="" fetchPriority="low" />
      )}
    </span>
  );
}

/** Where a face will be, or of somebody who is gone. */
export const AvatarBlank = ({ size = 'medium' }: { size?: Size }) => (
  <span className={`${styles.avatar} ${styles[size]}`} />
);
