import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { authorQuery, plansQuery } from '#web/features/essays/essay-query.ts';
import { Highlights } from '#web/features/highlights/highlights.tsx';
import { Paywall } from '#web/features/paying/paywall.tsx';
import { ActionBar, ActionRail } from '#web/features/reacting/action-bar.tsx';
import { Room } from '#web/features/rooms/room.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useSite } from '#web/lib/queries.ts';
import { useLayout } from '#web/router/router.tsx';
import { hydrateWhenNear } from '#web/ui/hydrate-when-near.tsx';
import { CollapsedContents, Contents, useCurrentHeading } from './contents.tsx';
import { essayCounts, essayFacts } from './essay-facts.ts';
import { EssayHeader } from './essay-header.tsx';
import { EssayText } from './essay-text.tsx';
import styles from './essay-view.module.css';
import { ReadingProgressBar } from './reading-progress-bar.tsx';
import { ResumePrompt } from './resume-prompt.tsx';
import { CollapsedSeries, Series } from './series.tsx';
import { useReadingProgress } from './use-reading-progress.ts';
import { useUnlockedFocus } from './use-unlocked-focus.ts';

const EssayFooter = hydrateWhenNear(
  () => import('./essay-footer.tsx').then((module) => module.EssayFooter),
  import.meta.env.SSR ? (await import('./essay-footer.tsx')).EssayFooter : undefined,
);

/** A comment in the URL's hash does not exist until the comments are loaded, so this scrolls to their section. */
function useCommentHash(): void {
  useEffect(() => {
    const scrollToComments = () => {
      if (/^#(say|cmt-\w+)$/.test(location.hash) && document.getElementById(location.hash.slice(1)) === null)
        document.getElementById('comments')?.scrollIntoView({ behavior: 'instant' });
    };
    scrollToComments();
    addEventListener('hashchange', scrollToComments);
    return () => removeEventListener('hashchange', scrollToComments);
  }, []);
}

/** The page of an essay: tools on the left, contents on the right, and both at the bottom on narrow screens. */
export function EssayView({ essay }: { essay: Essay }) {
  const text = useRef<HTMLDivElement>(null);
  const api = useApi();
  const queryClient = useQueryClient();
  const [server] = useState(() => ({
    essay,
    author: queryClient.getQueryData(authorQuery(api, essay.author.id).queryKey),
  }));
  const current = useCurrentHeading(essay.toc, text);
  useReadingProgress(essay.id, text);
  const focusUnlockedText = useUnlockedFocus(essay, text);
  useCommentHash();
  const isBare = useLayout() === 'bare';
  const { switches } = useSite();
  const plans = queryClient.getQueryData(plansQuery(api).queryKey)?.plans;
  const facts = essayFacts(essay);
  const counts = essayCounts(essay);
  return (
    <>
      <ReadingProgressBar text={text} />
      <div className={isBare ? styles.phone : styles.layout}>
        {isBare ? null : (
          <div className={styles.left}>
            <div className={styles.sticky}>
              <CachedFragment name="rail" ofPage input={facts + counts}>
                <ActionRail essay={essay} />
              </CachedFragment>
            </div>
          </div>
        )}
        <article className={styles.article}>
          <EssayHeader essay={essay} />
          <div className={isBare ? undefined : styles.folded}>
            <CachedFragment name="folded" ofPage input={[essay.toc, essay.column]}>
              <CollapsedContents toc={essay.toc} current={current} />
              <CollapsedSeries essay={essay} />
            </CachedFragment>
          </div>
          <EssayText essay={essay} text={text} />
          <Highlights essay={essay} text={text} />
          {essay.locked === null ? null : (
            <CachedFragment name="paywall" ofPage input={facts + JSON.stringify(plans)}>
              <Paywall essay={essay} onPaid={focusUnlockedText} />
            </CachedFragment>
          )}
          <EssayFooter server={server} />
        </article>
        {isBare ? null : (
          <div className={styles.right}>
            <div className={styles.sticky}>
              <CachedFragment name="beside" ofPage input={[essay.toc, essay.column]}>
                <Contents toc={essay.toc} current={current} />
                <Series essay={essay} />
              </CachedFragment>
            </div>
          </div>
        )}
      </div>
      <CachedFragment name="bar" ofPage input={`${facts}${counts} ${essay.toc.length}`}>
        <ActionBar essay={essay} always={isBare} />
      </CachedFragment>
      {essay.status === ESSAY_STATUS.onShelf && switches.chats ? <Room essay={essay} /> : null}
      {essay.locked === null ? (
        <ResumePrompt essayId={essay.id} progress={essay.mine.progress} text={text} />
      ) : null}
    </>
  );
}
