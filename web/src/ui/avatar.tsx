import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import styles from './avatar.module.css';
import { Hills } from './hills.tsx';

interface AvatarProps {
  /** Whose; decides the generated picture. */
  name: string;
  image: string;
  size?: 'small' | 'medium' | 'face' | 'author' | 'large' | 'profile';
}

/** The name stands beside it or in the label of what it is in. */
export function Avatar({ name, image, size = 'medium' }: AvatarProps) {
  const { filesUrl } = useApp();
  return (
    <span className={`${styles.avatar} ${styles[size]}`}>
      {image === '' ? <Hills seed={name} /> : <img src={fileUrl(filesUrl, image)} alt="" />}
    </span>
  );
}
