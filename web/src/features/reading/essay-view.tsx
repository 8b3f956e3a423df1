import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useEffect, useRef, useState } from 'react';
import { Paywall } from '#web/features/paying/paywall.tsx';
import { ActionBar, ActionRail } from '#web/features/reacting/action-bar.tsx';
import { Room } from '#web/features/rooms/room.tsx';
import { useLayout } from '#web/router/router.tsx';
import { later } from '#web/ui/later.tsx';
import { Contents, FoldedContents, useCurrentHeading } from './contents.tsx';
import { EssayHead } from './essay-head.tsx';
import { EssayText } from './essay-text.tsx';
import styles from './essay-view.module.css';
import { ReadingBar } from './reading-bar.tsx';
import { Resume } from './resume.tsx';
import { useReading } from './use-reading.ts';
import { useUnlocked } from './use-unlocked.ts';

const EssayAfter = later(
  () => import('./essay-after.tsx').then((module) => module.EssayAfter),
  import.meta.env.SSR ? (await import('./essay-after.tsx')).EssayAfter : undefined,
);

/** What the address names among the comments is not there until they are near. */
function useNamedComment(): void {
  useEffect(() => {
    const go = () => {
      if (/^#(say|cmt-\w+)$/.test(location.hash) && document.getElementById(location.hash.slice(1)) === null)
        document.getElementById('comments')?.scrollIntoView({ behavior: 'instant' });
    };
    go();
    addEventListener('hashchange', go);
    return () => removeEventListener('hashchange', go);
  }, []);
}

/** An essay to be read: tools at its left, contents at its right, and both under the thumb where there is no room. */
export function EssayView({ essay }: { essay: Essay }) {
  const text = useRef<HTMLDivElement>(null);
  const [served] = useState(essay);
  const current = useCurrentHeading(essay.toc, text);
  useReading(essay.id, text);
  const goOn = useUnlocked(essay, text);
  useNamedComment();
  const isBare = useLayout() === 'bare';
  return (
    <>
      <ReadingBar text={text} />
      <div className={isBare ? styles.phone : styles.layout}>
        {isBare ? null : (
          <div className={styles.left}>
            <div className={styles.sticky}>
              <ActionRail essay={essay} />
            </div>
          </div>
        )}
        <article className={styles.article}>
          <EssayHead essay={essay} />
          <div className={isBare ? undefined : styles.folded}>
            <FoldedContents toc={essay.toc} current={current} />
          </div>
          <EssayText essay={essay} text={text} />
          {essay.locked === null ? null : <Paywall essay={essay} onPaid={goOn} />}
          <EssayAfter served={served} />
        </article>
        {isBare ? null : (
          <div className={styles.right}>
            <div className={styles.sticky}>
              <Contents toc={essay.toc} current={current} />
            </div>
          </div>
        )}
      </div>
      <ActionBar essay={essay} always={isBare} />
      {essay.status === ESSAY_STATUS.onShelf ? <Room essay={essay} /> : null}
      {essay.locked === null ? (
        <Resume essayId={essay.id} progress={essay.mine.progress} text={text} />
      ) : null}
    </>
  );
}
