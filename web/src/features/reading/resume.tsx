import { type RefObject, useEffect, useState } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { placeIn, readPlace, scrollTopOf } from './reading-place.ts';
import styles from './resume.module.css';

/** Before and after these nobody needs help to find their place. */
const [FROM, TO] = [5, 95];

interface ResumeProps {
  essayId: string;
  /** Of a signed-in reader. */
  progress: number;
  text: RefObject<Element | null>;
}

/** Offers the place where one stopped the last time, until one has come as far or does not want it. */
export function Resume({ essayId, progress, text }: ResumeProps) {
  const isSignedIn = useCurrentUser() !== null;
  const [place, setPlace] = useState(0);
  const [isDone, setDone] = useState(false);

  useEffect(() => {
    const saved = isSignedIn ? progress : readPlace(essayId);
    const isWorth = saved >= FROM && saved <= TO && location.hash === '';
    setPlace(isWorth && text.current !== null && placeIn(text.current) < saved - FROM ? saved : 0);
  }, [isSignedIn, progress, essayId, text]);

  useEffect(() => {
    if (place === 0) return;
    const onScroll = () => {
      if (text.current !== null && placeIn(text.current) >= place) setDone(true);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, [place, text]);

  if (place === 0 || isDone) return null;
  return (
    <div className={`popup flex no-print ${styles.resume}`} role="status">
      <Button
        look="ghost"
        onClick={() => {
          if (text.current !== null) scrollTo({ top: scrollTopOf(text.current, place) });
          setDone(true);
        }}
      >
        <Icon name="book" small />
        上次读到 {place}%，继续阅读
      </Button>
      <Button look="ghost" square aria-label="不用了" onClick={() => setDone(true)}>
        <Icon name="close" small />
      </Button>
    </div>
  );
}
