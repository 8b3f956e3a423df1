import { type RefObject, useEffect, useState } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { readingProgress, readStoredProgress, scrollTopOf } from './reading-progress.ts';
import styles from './resume-prompt.module.css';

/** Outside of this range readers find their position easily. */
const [MIN_PERCENT, MAX_PERCENT] = [5, 95];

interface ResumePromptProps {
  essayId: string;
  /** The stored progress of a signed-in reader. */
  progress: number;
  text: RefObject<Element | null>;
}

/** Offers to continue where the reader stopped, until they have scrolled there or dismissed it. */
export function ResumePrompt({ essayId, progress, text }: ResumePromptProps) {
  const isSignedIn = useCurrentUser() !== null;
  const [savedPercent, setSavedPercent] = useState(0);
  const [isDone, setDone] = useState(false);

  useEffect(() => {
    const saved = isSignedIn ? progress : readStoredProgress(essayId);
    const isInRange = saved >= MIN_PERCENT && saved <= MAX_PERCENT && location.hash === '';
    setSavedPercent(
      isInRange && text.current !== null && readingProgress(text.current) < saved - MIN_PERCENT ? saved : 0,
    );
  }, [isSignedIn, progress, essayId, text]);

  useEffect(() => {
    if (savedPercent === 0) return;
    const onScroll = () => {
      if (text.current !== null && readingProgress(text.current) >= savedPercent) setDone(true);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [savedPercent, text]);

  if (savedPercent === 0 || isDone) return null;
  return (
    <div className={`popup flex no-print ${styles.resume}`} role="status">
      <Button
        variant="ghost"
        onClick={() => {
          if (text.current !== null) scrollTo({ top: scrollTopOf(text.current, savedPercent) });
          setDone(true);
        }}
      >
        <Icon name="book" small />
        上次读到 {savedPercent}%，继续阅读
      </Button>
      <Button variant="ghost" square aria-label="不用了" onClick={() => setDone(true)}>
        <Icon name="close" small />
      </Button>
    </div>
  );
}
