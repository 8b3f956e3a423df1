import { useEffect, useState } from 'react';
import { formatDateTime } from '#web/lib/format.ts';
import styles from './composer.module.css';
import { formatTimeLeft } from './time-left.ts';

const TICK_MS = 1000;
/** Clocks may differ, so the server is asked again until it agrees. */
const ASK_MS = 5000;

interface MutedNoteProps {
  until: string;
  /** Called when the time is over, and again while the server still says that it is not. */
  onEnd: () => void;
}

/** Replaces the composer of a muted reader and counts down. */
export function MutedNote({ until, onEnd }: MutedNoteProps) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(until) - now;
  const isOver = left <= 0;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const turn = Math.floor(now / ASK_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per turn after the end
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver, turn]);
  return (
    <p className={`ink-3 text-m text-center ${styles.closed}`} role="status">
      你在这个群聊里被禁言了
      {/* Screen readers get the time once instead of every second. */}
      <span className="sr">，{formatDateTime(until).slice(0, 16)} 以后可以发言</span>
      <span aria-hidden="true">，还剩 {formatTimeLeft(left)}</span>
    </p>
  );
}
