import type { Essay } from '@mozhan/contract/essays.ts';
import { useState } from 'react';
import { usePay } from '#web/features/paying/use-pay.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import styles from './action-bar.module.css';
import { ActionButton } from './action-button.tsx';
import { SignInHint } from './action-popover.tsx';

/** Hidden for the author of the essay, and while operators have switched rewards off. */
export function RewardButton({ essay }: { essay: Essay }) {
  const pay = usePay();
  const user = useCurrentUser();
  const [isHintOpen, setHintOpen] = useState(false);
  if (!useSite().switches.rewards || user?.id === essay.author.id) return null;
  return (
    <div className={`${styles.item} ${styles.wide}`}>
      <ActionButton
        icon="gift"
        label="打赏"
        count={essay.rewardCount}
        aria-haspopup="dialog"
        onClick={() =>
          user === null
            ? setHintOpen(!isHintOpen)
            : void pay({ kind: 'reward', targetId: essay.id, title: essay.title })
        }
      />
      {isHintOpen ? <SignInHint actionName="打赏" onClose={() => setHintOpen(false)} /> : null}
    </div>
  );
}
