import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './comments.module.css';
import { CommentsSkeleton } from './comments-skeleton.tsx';
import { CommentsTitle } from './comments-title.tsx';
import type { CommentThread } from './thread.ts';

/** A fast scroll must not reach the comments before they are loaded. */
const ROOT_MARGIN = '2000px 0px';

function useIsNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);

  return isNear;
}

/** Creates a new lazy component for every retry, because React caches a failed import. */
const createLazyComments = () => lazyComponent(() => import('./comments.tsx'), 'Comments');

const SectionSkeleton = ({ count }: { count: number }) => (
  <>
    <header className={styles.head}>
      <CommentsTitle count={count} />
    </header>
    <div id="say" aria-hidden="true">
      <div data-for="guest" className={styles.unsigned}>
        <Skeleton height="l" />
      </div>
      <div data-for="member" className={styles.unwritten}>
        <Skeleton height="l" />
      </div>
    </div>
    <CommentsSkeleton count={count} />
  </>
);

interface CommentsSectionProps extends CommentThread {
  count: number;
}

/** Placeholder of the comments in the server's HTML; comments and their code are loaded when it comes near. */
export function CommentsSection({ count, ...thread }: CommentsSectionProps) {
  const section = useRef<HTMLElement>(null);
  const isNear = useIsNear(section);
  const [Comments, setComments] = useState(createLazyComments);
  const skeleton = <SectionSkeleton count={count} />;
  const failed = (
    <>
      <header className={styles.head}>
        <CommentsTitle count={count} />
      </header>
      <LoadFailed level="h3" error={null} onRetry={() => setComments(createLazyComments())} />
    </>
  );
  return (
    <section
      ref={section}
      id="comments"
      className={`no-print ${isNear ? styles.near : ''}`}
      aria-labelledby="comments-title"
    >
      {isNear ? (
        <ErrorBoundary resetKey={Comments} fallback={failed}>
          <Suspense fallback={skeleton}>
            <Comments count={count} {...thread} />
          </Suspense>
        </ErrorBoundary>
      ) : (
        skeleton
      )}
    </section>
  );
}
