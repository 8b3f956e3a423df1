import type { Essay } from '@mozhan/contract/essays.ts';
import { usePay } from '#web/features/paying/use-pay.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './rewards.module.css';
import { RewardsList } from './rewards-list.tsx';

interface RewardsSectionProps {
  essay: Pick<Essay, 'id' | 'title' | 'locked' | 'author' | 'rewardCount'>;
}

export function RewardsSection({ essay }: RewardsSectionProps) {
  const pay = usePay();
  const { id, title, locked, author, rewardCount } = essay;
  const isOwn = useCurrentUser()?.id === author.id;
  const { switches } = useSite();
  const canGive = locked === null && !isOwn && switches.rewards;
  if (!canGive && rewardCount === 0) return null;
  return (
    <section id="rewards" className="no-print" aria-label="打赏">
      {canGive ? (
        <CachedFragment name="give" ofPage input="">
          <div className={`stack gap-3 ink-2 text-center ${styles.give}`}>
            <p>觉得有收获，可以打赏支持作者。</p>
            <SignInLink className={buttonClass()} data-for="guest">
              <Icon name="gift" small />
              登录后打赏
            </SignInLink>
            <Button
              data-for="member"
              aria-haspopup="dialog"
              onClick={() => void pay({ kind: 'reward', targetId: id, title })}
            >
              <Icon name="gift" small />
              打赏
            </Button>
          </div>
        </CachedFragment>
      ) : null}
      {rewardCount > 0 ? (
        <>
          <p className={`ink-3 text-s numbers ${styles.count}`}>{formatCount(rewardCount)} 次打赏</p>
          <RewardsList essayId={id} isOwn={isOwn} author={author} />
        </>
      ) : null}
    </section>
  );
}
