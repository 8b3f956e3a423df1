import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatTag } from '#contract/browser/money.ts';
import type { Client } from '#contract/client.ts';
import type { Page } from '#contract/common.ts';
import type { Reward } from '#contract/rewards.ts';
import type { UserCard } from '#contract/users.ts';
import { useApi } from '#web/lib/app-context.ts';
import { messageOf } from '#web/lib/errors.ts';
import { callPages } from '#web/lib/queries.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';
import styles from './rewards.module.css';

const LONGEST_REPLY = 200;

const rewardsQuery = (api: Client, essayId: string) => callPages(api, 'GET core/essay/reward', { essayId });

interface ReplyFormProps {
  reward: Reward;
  onDone: () => void;
}

/** Written once more, it replaces what was said. */
function ReplyForm({ reward: { id, essayId, reply, user }, onDone }: ReplyFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (reply: string) => api('PUT core/essay/reward', { id, reply }),
    onSuccess: (replied) => {
      const { queryKey } = rewardsQuery(api, essayId);
      queryClient.setQueryData<InfiniteData<Page<Reward>>>(queryKey, (data) => {
        const replace = (list: Reward[]) => list.map((each) => (each.id === id ? replied : each));
        return data && { ...data, pages: data.pages.map((page) => ({ ...page, list: replace(page.list) })) };
      });
      onDone();
    },
  });
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);

  function send(event: FormEvent): void {
    event.preventDefault();
    const words = String(new FormData(form.current ?? undefined).get('reply') ?? '').trim();
    if (words !== '' && !isPending) mutate(words);
  }

  return (
    <form ref={form} className={styles.form} onSubmit={send}>
      <TextArea
        name="reply"
        label={`回复${user.displayName}`}
        defaultValue={reply}
        maxLength={LONGEST_REPLY}
        error={error === null ? undefined : messageOf(error)}
      />
      <div className={styles.buttons}>
        <Button size="small" onClick={onDone}>
          取消
        </Button>
        <Button size="small" look="primary" type="submit" busy={isPending}>
          回复
        </Button>
      </div>
    </form>
  );
}

interface ItemProps extends Omit<RewardsListProps, 'essayId'> {
  reward: Reward;
}

function Item({ reward, isOwn, author, personHref }: ItemProps) {
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
      <div className={styles.body}>
        <p className={styles.meta}>
          <a href={personHref(user.id)}>{user.displayName}</a>
          <b>{formatTag(amount)}</b>
          <Time at={createdAt} />
        </p>
        {message === '' ? null : <p>{message}</p>}
        {reply === '' ? null : (
          <p className={styles.reply}>
            <span>{author.displayName} 回复：</span>
            {reply}
          </p>
        )}
        {isReplying ? (
          <ReplyForm reward={reward} onDone={() => setReplying(false)} />
        ) : isOwn ? (
          <button ref={answer} type="button" className={styles.act} onClick={() => setReplying(true)}>
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
  personHref: (id: string) => string;
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
        <div aria-hidden="true" className={styles.waiting}>
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
        <p role="alert" className={styles.failed}>
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
