import type { Essay } from '@mozhan/contract/essays.ts';
import type { LikeState } from '@mozhan/contract/likes.ts';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { SignInHint } from './action-popover.tsx';
import { useEssayToggle } from './use-essay-toggle.ts';

function useLike({ id, likeCount, mine: { liked } }: Essay) {
  const api = useApi();
  return useEssayToggle<LikeState>({
    id,
    send: (on) => api(on ? 'POST core/essay/like' : 'DELETE core/essay/like', { essayId: id }),
    currentState: { liked, likeCount },
    nextState: (on) => ({ liked: on, likeCount: Math.max(0, likeCount + (on ? 1 : -1)) }),
    apply: (essay, { liked, likeCount }) => ({ ...essay, likeCount, mine: { ...essay.mine, liked } }),
  });
}

export function LikeButton({ essay }: { essay: Essay }) {
  const isSignedIn = useCurrentUser() !== null;
  const { toggle: like } = useLike(essay);
  const [isHintOpen, setHintOpen] = useState(false);
  const { liked } = essay.mine;
  return (
    <div className={styles.item}>
      <ActionButton
        icon="heart"
        label="赞"
        count={essay.likeCount}
        aria-pressed={liked}
        onClick={() => (isSignedIn ? void like(!liked) : setHintOpen(!isHintOpen))}
      />
      {isHintOpen ? <SignInHint actionName="点赞" onClose={() => setHintOpen(false)} /> : null}
    </div>
  );
}
