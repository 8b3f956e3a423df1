import { type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { ErrorBoundary } from '#web/ui/error-boundary.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeletons } from '#web/ui/waiting.tsx';
import styles from './comments.module.css';
import { CommentsTitle } from './comments-title.tsx';
import type { Thread } from './thread.ts';

/** How far below the screen something is fetched already. */
const AHEAD = '600px 0px';

/** Whether the element has come near the screen, once for all. */
function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);

  return isNear;
}

/** Each remembers whether its code came. */
const comments = () => lazyPart(() => import('./comments.tsx'), 'Comments');

const Waiting = ({ count }: { count: number }) => (
  <>
    <header className={styles.head}>
      <CommentsTitle count={count} />
    </header>
    <div id="say" className={`stack gap-3 ${styles.waiting}`} aria-hidden="true">
      <Skeletons lines={['100 l', '30', '82', '50']} />
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
