import type { Essay } from '@mozhan/contract/essays.ts';
import type { LikeState } from '@mozhan/contract/likes.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Action } from './action.tsx';
import styles from './action-bar.module.css';
import { SignInHint } from './action-popover.tsx';
import { useEssayWish } from './use-essay-wish.ts';

function useLike({ id, likeCount, mine: { liked } }: Essay) {
  const api = useApi();
  return useEssayWish<LikeState>({
    id,
    send: (on) => api(on ? 'POST core/essay/like' : 'DELETE core/essay/like', { essayId: id }),
    now: { liked, likeCount },
    next: (on) => ({ liked: on, likeCount: Math.max(0, likeCount + (on ? 1 : -1)) }),
    apply: (essay, { liked, likeCount }) => ({ ...essay, likeCount, mine: { ...essay.mine, liked } }),
  });
}

export function LikeButton({ essay }: { essay: Essay }) {
  const isSignedIn = useCurrentUser() !== null;
  const { wish: like } = useLike(essay);
  const [isAsked, setAsked] = useState(false);
  const { liked } = essay.mine;
  return (
    <div className={styles.item}>
      <Action
        icon="heart"
        word="赞"
        count={essay.likeCount}
        aria-pressed={liked}
        onClick={() => (isSignedIn ? void like(!liked) : setAsked(!isAsked))}
      />
      {isAsked ? <SignInHint to="点赞" onClose={() => setAsked(false)} /> : null}
    </div>
  );
}
