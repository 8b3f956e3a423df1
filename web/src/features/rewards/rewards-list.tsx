import { messageOf } from '@mozhan/client/errors.ts';
import { formatTag } from '@mozhan/contract/money.ts';
import type { Reward } from '@mozhan/contract/rewards.ts';
import type { UserCard } from '@mozhan/contract/users.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { usePlaces } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Day } from '#web/ui/time.tsx';
import styles from './rewards.module.css';
import { rewardsQuery } from './rewards-query.ts';

/** For the author alone. */
const RewardReply = lazyPart(() => import('./reward-reply.tsx'), 'RewardReply');

interface ItemProps extends Omit<RewardsListProps, 'essayId'> {
  reward: Reward;
}

function Item({ reward, isOwn, author }: ItemProps) {
  const { personHref } = usePlaces();
  const { user, amount, message, reply, createdAt } = reward;
  const [isReplying, setReplying] = useState(false);
  const answer = useRef<HTMLButtonElement>(null);
  const wasReplying = useRef(false);

  useEffect(() => {
    if (wasReplying.current && !isReplying) answer.current?.focus();
    wasReplying.current = isReplying;
  }, [isReplying]);

  return (
    <li className={styles.item}>
      <Avatar name={user.displayName} image={user.headImg} />
      <div className="stack gap-1 grow">
        <p className={`flex wraps ink-3 text-s ${styles.meta}`}>
          <a href={personHref(user.id)}>{user.displayName}</a>
          <b>{formatTag(amount)}</b>
          <Day at={createdAt} />
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
            ref={answer}
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
  /** Their author looks at them. */
  isOwn: boolean;
  author: UserCard;
}

/** Who gave, how much, with which words, and what the author answered. */
export function RewardsList({ essayId, ...rest }: RewardsListProps) {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    rewardsQuery(useApi(), essayId),
  );
  const again = () => void (data === undefined ? refetch() : fetchNextPage());
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
              <Item key={reward.id} reward={reward} {...rest} />
            ))}
        </ul>
      )}
      {error === null ? null : (
        <p role="alert" className={`ink-2 text-center ${styles.failed}`}>
          {messageOf(error)}
        </p>
      )}
      {hasNextPage || error !== null ? (
        <Button block busy={isFetching} onClick={again}>
          {error === null ? '更多打赏' : '再试一次'}
        </Button>
      ) : null}
    </>
  );
}
