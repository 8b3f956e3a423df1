import { useApp } from '../lib/app-context.ts';
import { fileUrl } from '../lib/files.ts';
import styles from './avatar.module.css';
import { GeneratedAvatar } from './generated-avatar.tsx';

type Size = 'small' | 'medium' | 'face' | 'author' | 'large' | 'profile';

interface AvatarProps {
  /** Display name; also the seed of the generated picture. */
  name: string;
  image: string;
  size?: Size;
}

/** Decorative: the name is next to it or in the label of its parent. */
export function Avatar({ name, image, size = 'medium' }: AvatarProps) {
  const { filesUrl } = useApp();
  return (
    <span className={`${styles.avatar} ${styles[size]}`}>
      {image === '' ? (
        <GeneratedAvatar seed={name} />
      ) : (
        <img src={fileUrl(filesUrl, image)} alt="" fetchPriority="low" />
      )}
    </span>
  );
}

/** A guest has no account: the first character of the name stands for the picture. */
export const GuestAvatar = ({ name }: { name: string }) => (
  <span className={`${styles.avatar} ${styles.letter} ${styles.medium}`} aria-hidden="true">
    {[...name][0]?.toUpperCase()}
  </span>
);

/** Shown while loading, and for deleted users. */
export const AvatarPlaceholder = ({ size = 'medium' }: { size?: Size }) => (
  <span className={`${styles.avatar} ${styles[size]}`} />
);
