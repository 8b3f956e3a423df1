import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Reward } from '@mozhan/contract/rewards.ts';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import styles from './rewards.module.css';
import { rewardsQuery } from './rewards-query.ts';

const MAX_REPLY_LENGTH = 200;

interface ReplyFormProps {
  reward: Reward;
  onDone: () => void;
}

/** A second reply replaces the first. */
export function RewardReply({ reward: { id, essayId, reply, user }, onDone }: ReplyFormProps) {
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
    const text = String(new FormData(form.current ?? undefined).get('reply') ?? '').trim();
    if (text !== '' && !isPending) mutate(text);
  }

  return (
    <form ref={form} className={`stack gap-2 ${styles.form}`} onSubmit={send}>
      <TextArea
        name="reply"
        label={`回复${user.displayName}`}
        defaultValue={reply}
        maxLength={MAX_REPLY_LENGTH}
        error={error === null ? undefined : errorMessageOf(error)}
      />
      <div className="flex end gap-2">
        <Button size="small" onClick={onDone}>
          取消
        </Button>
        <Button size="small" variant="primary" type="submit" busy={isPending}>
          回复
        </Button>
      </div>
    </form>
  );
}
