import type { Essay } from '@mozhan/contract/essays.ts';
import { useState } from 'react';
import { usePay } from '#web/features/paying/use-pay.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Action } from './action.tsx';
import styles from './action-bar.module.css';
import { SignInHint } from './action-popover.tsx';

/** Nobody rewards themselves. */
export function RewardButton({ essay }: { essay: Essay }) {
  const pay = usePay();
  const user = useCurrentUser();
  const [isAsked, setAsked] = useState(false);
  if (user?.id === essay.author.id) return null;
  return (
    <div className={`${styles.item} ${styles.wide}`}>
      <Action
        icon="gift"
        word="打赏"
        count={essay.rewardCount}
        aria-haspopup="dialog"
        onClick={() =>
          user === null
            ? setAsked(!isAsked)
            : void pay({ kind: 'reward', targetId: essay.id, title: essay.title })
        }
      />
      {isAsked ? <SignInHint to="打赏" onClose={() => setAsked(false)} /> : null}
    </div>
  );
}
