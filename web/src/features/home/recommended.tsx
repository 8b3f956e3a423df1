import { type ReactNode, Suspense, use } from 'react';
import { EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import { EssayList } from '#web/features/essays/essay-list.tsx';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { cachedImport } from '#web/router/cached-import.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import styles from './recommended.module.css';

const fetchPersonalFeed = cachedImport(() => import('./personal-feed.tsx'));

interface RecommendedProps {
  empty: ReactNode;
  pageHref: (page: number) => string;
}

function PersonalFeed(props: { skeleton: ReactNode }) {
  const { PersonalFeed } = use(fetchPersonalFeed());
  return <PersonalFeed {...props} />;
}

/** At least as high as the viewport, so that nothing below it moves when the list replaces it. */
const skeleton = (
  <div className={styles.waiting} aria-hidden="true">
    <EssayEntrySkeleton />
    <EssayEntrySkeleton />
  </div>
);

/**
 * The HTML has the visitors' list and, for signed-in readers, a skeleton. Their own list and its code are loaded after
 * hydration.
 */
export function Recommended({ empty, pageHref }: RecommendedProps) {
  const user = useCurrentUser();
  const list = <EssayList label="文章" filter={{ feed: 'recommend' }} pageHref={pageHref} empty={empty} />;
  if (user === null)
    return (
      <>
        <div data-for="guest">{list}</div>
        <div data-for="member">
          <CachedFragment name="waiting" input="">
            {skeleton}
          </CachedFragment>
        </div>
      </>
    );
  return (
    <ErrorBoundary resetKey={null} fallback={list}>
      <Suspense fallback={skeleton}>
        <PersonalFeed skeleton={skeleton} />
      </Suspense>
    </ErrorBoundary>
  );
}
