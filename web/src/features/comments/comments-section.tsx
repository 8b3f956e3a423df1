import { lazy, useEffect, useRef, useState } from 'react';
import { Optional } from '#web/ui/optional.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import styles from './comments.module.css';
import { CommentsTitle } from './comments-title.tsx';
import type { Thread } from './thread.ts';

const Comments = lazy(() => import('./comments.tsx').then((module) => ({ default: module.Comments })));

/** How far below the screen they are fetched already. */
const AHEAD = '600px 0px';

const Waiting = ({ count }: { count: number }) => (
  <>
    <header className={styles.head}>
      <CommentsTitle count={count} />
    </header>
    <div id="say" className={styles.waiting} aria-hidden="true">
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
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (section.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(section.current);
    return () => observer.disconnect();
  }, []);

  const waiting = <Waiting count={count} />;
  return (
    <section ref={section} id="comments" className={styles.comments} aria-labelledby="comments-title">
      {isNear ? (
        <Optional fallback={waiting}>
          <Comments count={count} {...thread} />
        </Optional>
      ) : (
        waiting
      )}
    </section>
  );
}
