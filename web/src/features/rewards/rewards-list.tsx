import { errorMessageOf } from '@mozhan/client/errors.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import type { Reward } from '@mozhan/contract/rewards.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useHrefs } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { DateText } from '#web/ui/time.tsx';
import styles from './rewards.module.css';
import { rewardsQuery } from './rewards-query.ts';

/** Loaded on demand, as only the author needs it. */
const RewardReply = lazyComponent(() => import('./reward-reply.tsx'), 'RewardReply');

interface RewardRowProps extends Omit<RewardsListProps, 'essayId'> {
  reward: Reward;
}

function RewardRow({ reward, isOwn, author }: RewardRowProps) {
  const { userHref } = useHrefs();
  const { user, amount, message, reply, createdAt } = reward;
  const [isReplying, setReplying] = useState(false);
  const replyButton = useRef<HTMLButtonElement>(null);
  const wasReplying = useRef(false);

  useEffect(() => {
    if (wasReplying.current && !isReplying) replyButton.current?.focus();
    wasReplying.current = isReplying;
  }, [isReplying]);

  return (
    <li className={styles.item}>
      <Avatar name={user.displayName} image={user.headImg} />
      <div className="stack gap-1 grow">
        <p className={`flex wraps ink-3 text-s ${styles.meta}`}>
          <a href={userHref(user.id)}>{user.displayName}</a>
          <b>{formatPriceTag(amount)}</b>
          <DateText at={createdAt} />
        </p>
        {message === '' ? null : <p>{message}</p>}
        {reply === '' ? null : (
          <p className={`sunken text-m ${styles.reply}`}>
            <span>{author.displayName} 回复：</span>
            {reply}
          </p>
        )}
        {isReplying ? (
          <Optional>
            <RewardReply reward={reward} onDone={() => setReplying(false)} />
          </Optional>
        ) : isOwn ? (
          <button
            ref={replyButton}
            type="button"
            className={`ink-3 text-s ${styles.act}`}
            onClick={() => setReplying(true)}
          >
            {reply === '' ? '回复' : '修改回复'}
          </button>
        ) : null}
      </div>
    </li>
  );
}

interface RewardsListProps {
  essayId: string;
  /** The current user is the author of the essay. */
  isOwn: boolean;
  author: UserCard;
}

export function RewardsList({ essayId, ...rest }: RewardsListProps) {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    rewardsQuery(useApi(), essayId),
  );
  const loadMore = () => void (data === undefined ? refetch() : fetchNextPage());
  return (
    <>
      {data === undefined && error === null ? (
        <div aria-hidden="true" className={`stack gap-3 ${styles.waiting}`}>
          <Skeleton width="30" />
          <Skeleton width="70" />
        </div>
      ) : null}
      {data === undefined ? null : (
        <ul aria-label="打赏的人">
          {data.pages
            .flatMap(({ list }) => list)
            .map((reward) => (
              <CachedFragment key={reward.id} name="reward" input={[reward, rest]}>
                <RewardRow reward={reward} {...rest} />
              </CachedFragment>
            ))}
        </ul>
      )}
      {error === null ? null : (
        <p role="alert" className={`ink-2 text-center ${styles.failed}`}>
          {errorMessageOf(error)}
        </p>
      )}
      {hasNextPage || error !== null ? (
        <Button block busy={isFetching} onClick={loadMore}>
          {error === null ? '更多打赏' : '再试一次'}
        </Button>
      ) : null}
    </>
  );
}
