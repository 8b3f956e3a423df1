import { messageOf } from '@mozhan/client/errors.ts';
import { queriesOf } from '@mozhan/client/query-filter.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useWish } from '#web/lib/use-wish.ts';
import { pathTo, useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { foldersQuery } from './folder-query.ts';
import styles from './own-collections.module.css';

type Collected = Output<'GET core/user/profile/collect'>['list'][number];

/** One that was let go stays in sight until the list is left, so that it can be taken back into its folder. */
function useKept({ id, folderId }: Collected) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isKept, setKept] = useState(true);
  const keep = useWish({
    send: (on) =>
      on
        ? api('POST core/essay/collect', { essayId: id, folderId })
        : api('DELETE core/essay/collect', { essayId: id }),
    show: (on) => {
      setKept(on);
      return () => setKept(!on);
    },
    settle: ({ collected }) => {
      setKept(collected);
      void queryClient.invalidateQueries({ queryKey: foldersQuery(api).queryKey });
      void queryClient.invalidateQueries(queriesOf('GET core/essay/{id}'));
    },
    onError: (error) => toast(messageOf(error), 'warn'),
  });
  return { isKept, keep };
}

interface CollectedItemProps {
  essay: Collected;
  /** The name of the folder it is in, where that is not said already. */
  place?: string;
  isChosen: boolean;
  onChoose: (chosen: boolean) => void;
  onMove: () => void;
}

export function CollectedItem({ essay, place, isChosen, onChoose, onMove }: CollectedItemProps) {
  const { href } = useRouter();
  const { isKept, keep } = useKept(essay);
  const { id, title, author, collectedAt } = essay;
  return (
    <article className={styles.item} data-gone={!isKept || undefined}>
      <label className={styles.choose}>
        <input
          type="checkbox"
          aria-label={`选中《${title}》`}
          checked={isChosen && isKept}
          disabled={!isKept}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </label>
      <div className={styles.words}>
        <h3>
          <a href={href(pathTo({ to: '/essay/detail/:id.html', params: { id } }))}>{title}</a>
        </h3>
        <div className={`flex wraps ink-3 text-s ${styles.facts}`}>
          <span>{author.displayName}</span>
          <span>
            <Time at={collectedAt} /> 收藏
          </span>
          {place === undefined ? null : <span>{place}</span>}
        </div>
      </div>
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {isKept ? (
          <Button size="small" look="ghost" aria-label={`移动《${title}》`} onClick={onMove}>
            移动
          </Button>
        ) : null}
        <Button
          size="small"
          look="ghost"
          aria-label={isKept ? `取消收藏《${title}》` : `重新收藏《${title}》`}
          onClick={() => void keep(!isKept)}
        >
          <Icon name="star" small />
          {isKept ? '取消收藏' : '重新收藏'}
        </Button>
      </div>
    </article>
  );
}
