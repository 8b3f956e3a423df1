import styles from './avatar.module.css';
import { Hills } from './picture.tsx';

interface AvatarProps {
  /** Whose; decides the generated picture. */
  name: string;
  image: string;
  size?: 'medium' | 'large';
}

/** The name stands beside it or in the label of what it is in. */
export function Avatar({ name, image, size = 'medium' }: AvatarProps) {
  return (
    <span className={`${styles.avatar} ${styles[size]}`}>
      {image === '' ? <Hills seed={name} /> : <img src={image} alt="" />}
    </span>
  );
}
