import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type MouseEvent, useState } from 'react';
import { Icon } from '#web/ui/icon-set.tsx';
import { ActionFace, actionLabel } from './action.tsx';
import styles from './action-bar.module.css';
import { ActionPopover } from './action-popover.tsx';
import { CollectButton } from './collect-button.tsx';
import { LikeButton } from './like-button.tsx';
import { ReadingTools } from './reading-tools.tsx';
import { RewardButton } from './reward-button.tsx';
import { ShareButton } from './share-button.tsx';

/** In place of the address one is at, so that the way back leads out of the page. */
function openRoom(event: MouseEvent<HTMLAnchorElement>): void {
  event.preventDefault();
  location.replace(event.currentTarget.hash);
}

const Actions = ({ essay }: { essay: Essay }) => (
  <>
    <LikeButton essay={essay} />
    <div className={styles.item}>
      <a className={styles.act} href="#comments" aria-label={actionLabel('评论', essay.cmtCount)}>
        <ActionFace icon="comment" word="评论" count={essay.cmtCount} />
      </a>
    </div>
    <CollectButton essay={essay} />
    <RewardButton essay={essay} />
    <div className={styles.item}>
      {/* biome-ignore lint/a11y/useValidAnchor: it names a place in the page, which scripts only open another way */}
      <a className={styles.act} href="#chat" aria-label="群聊" onClick={openRoom}>
        <ActionFace icon="chat" word="群聊" count={0} />
      </a>
    </div>
    <ShareButton essay={essay} />
  </>
);

/** What is not on the shelf is nobody's to like or to share. */
const isOut = ({ status }: Essay) => status === ESSAY_STATUS.onShelf;

/** Beside the text on a wide screen. */
export const ActionRail = ({ essay }: { essay: Essay }) => (
  <div className={styles.rail}>
    {isOut(essay) ? (
      <div className={`stack gap-3 divided ${styles.group}`} role="toolbar" aria-label="文章操作">
        <Actions essay={essay} />
      </div>
    ) : null}
    <ReadingTools />
  </div>
);

function ReadingSettings({ hasContents }: { hasContents: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.item}>
      <button type="button" className={styles.act} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={styles.face}>
          <Icon name="textLarger" />
        </span>
        <span>阅读</span>
      </button>
      {isOpen ? (
        <ActionPopover label="阅读设置" onClose={() => setOpen(false)}>
          <ReadingTools row hasContents={hasContents} />
        </ActionPopover>
      ) : null}
    </div>
  );
}

interface ActionBarProps {
  essay: Essay;
  /** Also on a wide screen, where there is no rail. */
  always: boolean;
}

/** Under the thumb on others. */
export const ActionBar = ({ essay, always }: ActionBarProps) => (
  <div
    className={always ? styles.bar : `${styles.bar} ${styles.narrow}`}
    role="toolbar"
    aria-label="文章操作"
  >
    {isOut(essay) ? (
      <>
        <a className={`row grow ink-3 text-m ${styles.say}`} href="#say">
          {essay.allowComment ? '说点什么' : '看评论'}
        </a>
        <Actions essay={essay} />
      </>
    ) : null}
    <ReadingSettings hasContents={essay.toc.length > 0} />
  </div>
);
