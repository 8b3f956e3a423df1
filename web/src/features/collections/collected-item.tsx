import { errorMessageOf } from '@mozhan/client/errors.ts';
import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useOptimisticToggle } from '#web/lib/use-optimistic-toggle.ts';
import { essayPath, useRouter } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import { foldersQuery } from './folder-query.ts';
import styles from './own-collections.module.css';

type Collected = Output<'GET core/user/profile/collect'>['list'][number];

/** A removed essay stays in the list until the page is left, so that it can be restored to its folder. */
function useCollected({ id, folderId }: Collected) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isCollected, setIsCollected] = useState(true);
  const setCollected = useOptimisticToggle({
    // The state is kept here.
    routes: [],
    send: (on) =>
      on
        ? api('POST core/essay/collect', { essayId: id, folderId })
        : api('DELETE core/essay/collect', { essayId: id }),
    applyOptimistic: (on) => {
      setIsCollected(on);
      return () => setIsCollected(!on);
    },
    applyResponse: ({ collected }) => {
      setIsCollected(collected);
      void queryClient.invalidateQueries({ queryKey: foldersQuery(api).queryKey });
      void queryClient.invalidateQueries(queryFilterOf('GET core/essay/{id}'));
    },
    onError: (error) => toast(errorMessageOf(error), 'warn'),
  });
  return { isCollected, setCollected };
}

interface CollectedItemProps {
  essay: Collected;
  /** Name of its folder, in lists of all folders. */
  folderName?: string;
  isChosen: boolean;
  onChoose: (chosen: boolean) => void;
  onMove: () => void;
}

export function CollectedItem({ essay, folderName, isChosen, onChoose, onMove }: CollectedItemProps) {
  const { href } = useRouter();
  const { isCollected, setCollected } = useCollected(essay);
  const { title, author, collectedAt } = essay;
  return (
    <article className={styles.item} data-gone={!isCollected || undefined}>
      <label className={styles.choose}>
        <input
          type="checkbox"
          aria-label={`选中《${title}》`}
          checked={isChosen && isCollected}
          disabled={!isCollected}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </label>
      <div className={styles.words}>
        <h3>
          <a href={href(essayPath(essay))}>{title}</a>
        </h3>
        <div className={`flex wraps ink-3 text-s ${styles.facts}`}>
          <span>{author.displayName}</span>
          <span>
            <RelativeTime at={collectedAt} /> 收藏
          </span>
          {folderName === undefined ? null : <span>{folderName}</span>}
        </div>
      </div>
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {isCollected ? (
          <Button size="small" variant="ghost" aria-label={`移动《${title}》`} onClick={onMove}>
            移动
          </Button>
        ) : null}
        <Button
          size="small"
          variant="ghost"
          aria-label={isCollected ? `取消收藏《${title}》` : `重新收藏《${title}》`}
          onClick={() => void setCollected(!isCollected)}
        >
          <Icon name="star" small />
          {isCollected ? '取消收藏' : '重新收藏'}
        </Button>
      </div>
    </article>
  );
}
