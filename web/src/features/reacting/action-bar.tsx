import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import type { MouseEvent } from 'react';
import { useSite } from '#web/lib/queries.ts';
import styles from './action-bar.module.css';
import { ActionContent, actionLabel } from './action-button.tsx';
import { CollectButton } from './collect-button.tsx';
import { LikeButton } from './like-button.tsx';
import { MoreButton } from './more-button.tsx';
import { RewardButton } from './reward-button.tsx';
import { ShareButton } from './share-button.tsx';

/** Replaces the history entry, so that the back button leaves the page. */
function openChat(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  location.replace(event.currentTarget.hash);
}

function RoomLink() {
  if (!useSite().switches.chats) return null;
  return (
    <div className={styles.item}>
      {/* biome-ignore lint/a11y/useValidAnchor: the fragment exists in the page; the handler only replaces the history entry */}
      <a className={styles.act} href="#chat" aria-label="群聊" onClick={openChat}>
        <ActionContent icon="chat" label="群聊" count={0} />
      </a>
    </div>
  );
}

const Actions = ({ essay }: { essay: Essay }) => (
  <>
    <LikeButton essay={essay} />
    <div className={styles.item}>
      <a className={styles.act} href="#comments" aria-label={actionLabel('评论', essay.cmtCount)}>
        <ActionContent icon="comment" label="评论" count={essay.cmtCount} />
      </a>
    </div>
    <CollectButton essay={essay} />
    <RewardButton essay={essay} />
    <RoomLink />
    <ShareButton essay={essay} />
  </>
);

/** Only an essay on the shelf can be liked or shared. */
const isOnShelf = ({ status }: Essay) => status === ESSAY_STATUS.onShelf;

/** The actions beside the text on wide screens. */
export const ActionRail = ({ essay }: { essay: Essay }) => (
  <div className={styles.rail}>
    {isOnShelf(essay) ? (
      <div className={`stack gap-3 divided ${styles.group}`} role="toolbar" aria-label="文章操作">
        <Actions essay={essay} />
      </div>
    ) : null}
    <MoreButton essay={essay} />
  </div>
);

interface ActionBarProps {
  essay: Essay;
  /** Also on wide screens, for pages without the rail. */
  always: boolean;
}

/** The actions at the bottom of narrow screens. */
export function ActionBar({ essay, always }: ActionBarProps) {
  const { switches } = useSite();
  const canComment = essay.allowComment && switches.comments !== 'off';
  return (
    <div
      className={always ? styles.bar : `${styles.bar} ${styles.narrow}`}
      role="toolbar"
      aria-label="文章操作"
    >
      {isOnShelf(essay) ? (
        <>
          <a className={`row grow ink-3 text-m ${styles.say}`} href="#say">
            {canComment ? '说点什么' : '看评论'}
          </a>
          <Actions essay={essay} />
        </>
      ) : null}
      <MoreButton essay={essay} hasContents={essay.toc.length > 0} />
    </div>
  );
}
