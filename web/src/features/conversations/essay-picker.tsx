import { messageOf } from '@mozhan/client/errors.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useSettled } from '#web/lib/use-settled.ts';
import { Cover } from '#web/ui/cover.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Opened } from '#web/ui/late-dialog.tsx';
import { Input } from '#web/ui/text-box.tsx';
import { Skeletons } from '#web/ui/waiting.tsx';
import styles from './essay-picker.module.css';

const MOST = 8;

/** One's own essays or, without any, the latest, until something is looked for. */
function useEssays(keyword: string) {
  const authorId = useCurrentUser()?.id ?? '';
  const own = useCall('GET core/essay/', { authorId, pageSize: MOST });
  const others = useCall(
    'GET core/essay/',
    { pageSize: MOST, ...(keyword !== '' && { keyword }) },
    { enabled: keyword !== '' || own.data?.list.length === 0, placeholderData: keepPreviousData },
  );
  const isOwn = keyword === '' && (own.data === undefined || own.data.list.length > 0);
  return {
    ...(isOwn ? own : others),
    title: isOwn ? '我的文章' : keyword === '' ? '最新文章' : '找到的文章',
  };
}

interface EssayPickerProps extends Opened {
  onPick: (id: string) => void;
}

function Found({ onPick }: Pick<EssayPickerProps, 'onPick'>) {
  const [wanted, setWanted] = useState('');
  const { data, error, title } = useEssays(useSettled(wanted.trim()));
  return (
    <>
      <Input
        type="search"
        aria-label="搜索文章"
        placeholder="搜索文章"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <h3 className={`ink-3 text-s regular ${styles.title}`}>{title}</h3>
      {data === undefined && error === null ? (
        <div className={styles.waiting} aria-hidden="true">
          <Skeletons lines={['100 l', '100 l', '100 l']} />
        </div>
      ) : null}
      {error === null ? null : (
        <p className={styles.none} role="alert">
          {messageOf(error)}
        </p>
      )}
      {data?.list.length === 0 ? (
        <p className={styles.none} role="status">
          没有找到，换个词试试
        </p>
      ) : null}
      <ul className={styles.list} aria-label={title}>
        {data?.list.map(({ id, title, author, cover, readMinutes }) => (
          <li key={id}>
            <button type="button" onClick={() => onPick(id)}>
              <span className={styles.cover}>
                <Cover title={title} image={cover} />
              </span>
              <span>
                <strong>{title}</strong>
                <small>
                  {author.displayName}，约 {readMinutes} 分钟
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Chooses the essay whose card is to be sent. */
export const EssayPicker = ({ open, onOpenChange, onPick }: EssayPickerProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="发送文章卡片">
    <Found onPick={onPick} />
  </Dialog>
);
