import { errorMessageOf } from '@mozhan/client/errors.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useDebounced } from '#web/lib/use-debounced.ts';
import { Cover } from '#web/ui/cover.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { DialogOpenProps } from '#web/ui/lazy-dialog.tsx';
import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import { Input } from '#web/ui/text-box.tsx';
import styles from './essay-picker.module.css';

const MAX_RESULTS = 8;

/** The reader's own essays, or the latest ones if there are none, until a keyword is entered. */
function useEssays(keyword: string) {
  const authorId = useCurrentUser()?.id ?? '';
  const own = useCall('GET core/essay/', { authorId, pageSize: MAX_RESULTS });
  const others = useCall(
    'GET core/essay/',
    { pageSize: MAX_RESULTS, ...(keyword !== '' && { keyword }) },
    { enabled: keyword !== '' || own.data?.list.length === 0, placeholderData: keepPreviousData },
  );
  const isOwn = keyword === '' && (own.data === undefined || own.data.list.length > 0);
  return {
    ...(isOwn ? own : others),
    title: isOwn ? '我的文章' : keyword === '' ? '最新文章' : '找到的文章',
  };
}

interface EssayPickerProps extends DialogOpenProps {
  onPick: (id: string) => void;
}

function EssaySearch({ onPick }: Pick<EssayPickerProps, 'onPick'>) {
  const [keyword, setKeyword] = useState('');
  const { data, error, title } = useEssays(useDebounced(keyword.trim()));
  return (
    <>
      <Input
        type="search"
        aria-label="搜索文章"
        placeholder="搜索文章"
        value={keyword}
        onChange={({ target }) => setKeyword(target.value)}
      />
      <h3 className={`ink-3 text-s regular ${styles.title}`}>{title}</h3>
      {data === undefined && error === null ? (
        <div className={styles.waiting} aria-hidden="true">
          <SkeletonLines lines={['100 l', '100 l', '100 l']} />
        </div>
      ) : null}
      {error === null ? null : (
        <p className={styles.none} role="alert">
          {errorMessageOf(error)}
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

export const EssayPicker = ({ open, onOpenChange, onPick }: EssayPickerProps) => (
  <Dialog open={open} onOpenChange={onOpenChange} title="发送文章卡片">
    <EssaySearch onPick={onPick} />
  </Dialog>
);
