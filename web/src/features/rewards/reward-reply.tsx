import { messageOf } from '@mozhan/client/errors.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { Reward } from '@mozhan/contract/rewards.ts';
import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/field.tsx';
import styles from './rewards.module.css';
import { rewardsQuery } from './rewards-query.ts';

const LONGEST_REPLY = 200;

interface ReplyFormProps {
  reward: Reward;
  onDone: () => void;
}

/** Written once more, it replaces what was said. */
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
    const words = String(new FormData(form.current ?? undefined).get('reply') ?? '').trim();
    if (words !== '' && !isPending) mutate(words);
  }

  return (
    <form ref={form} className={`stack gap-2 ${styles.form}`} onSubmit={send}>
      <TextArea
        name="reply"
        label={`回复${user.displayName}`}
        defaultValue={reply}
        maxLength={LONGEST_REPLY}
        error={error === null ? undefined : messageOf(error)}
      />
      <div className="flex end gap-2">
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
