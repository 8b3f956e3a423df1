import { lazy, Suspense, useRef, useState } from 'react';
import { useNear } from '#web/lib/use-near.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './comments.module.css';
import { CommentsTitle } from './comments-title.tsx';
import type { Thread } from './thread.ts';

/** Each remembers whether its code came. */
const comments = () => lazy(() => import('./comments.tsx').then((module) => ({ default: module.Comments })));

const Waiting = ({ count }: { count: number }) => (
  <>
    <header className={styles.head}>
      <CommentsTitle count={count} />
    </header>
    <div id="say" className={`stack gap-3 ${styles.waiting}`} aria-hidden="true">
      <Skeleton height="l" />
      <Skeleton width="30" />
      <Skeleton width="82" />
      <Skeleton width="50" />
    </div>
  </>
);

interface CommentsSectionProps extends Thread {
  count: number;
}

/** The place of the comments in the server's page; they and their code are fetched when it comes near. */
export function CommentsSection({ count, ...thread }: CommentsSectionProps) {
  const section = useRef<HTMLElement>(null);
  const isNear = useNear(section);
  const [Comments, setComments] = useState(comments);
  const waiting = <Waiting count={count} />;
  const failed = (
    <>
      <header className={styles.head}>
        <CommentsTitle count={count} />
      </header>
      <LoadFailed level="h3" error={null} onRetry={() => setComments(comments())} />
    </>
  );
  return (
    <section ref={section} id="comments" className="no-print" aria-labelledby="comments-title">
      {isNear ? (
        <ErrorBoundary resetBy={Comments} fallback={failed}>
          <Suspense fallback={waiting}>
            <Comments count={count} {...thread} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        waiting
      )}
    </section>
  );
}
