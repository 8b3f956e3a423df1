import { Avatar } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { fileUrl } from '#admin/lib/format.ts';
import styles from './person.module.css';

interface PersonProps {
  name: string;
  headImg: string;
  note?: ReactNode;
}

export function PersonAvatar({ name, headImg, size = 32 }: PersonProps & { size?: number }) {
  const { basePath } = useApp();
  return (
    <Avatar
      size={size}
      className={styles.avatar}
      src={headImg === '' ? undefined : fileUrl(basePath, headImg)}
      alt=""
    >
      <span aria-hidden="true">{[...name][0]}</span>
    </Avatar>
  );
}

export function Person({ name, headImg, note }: PersonProps) {
  return (
    <span className={styles.person}>
      <PersonAvatar name={name} headImg={headImg} />
      <span className={styles.words}>
        <span>{name}</span>
        {note ? <small>{note}</small> : null}
      </span>
    </span>
  );
}
