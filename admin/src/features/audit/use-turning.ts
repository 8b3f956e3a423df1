import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useEffect, useEffectEvent, useState } from 'react';

const NAME = 'admin.audit.keys';

/** Where a letter is meant as a letter, or for something in front. */
const isTaken = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]') !==
    null;

/**
 * J and K turn to the next and the previous. Single letters get in the way of those who speak to their computer,
 * so they can be switched off, and stay so in this browser.
 */
export function useTurning(turn: (by: 1 | -1) => void): { isOn: boolean; setOn: (isOn: boolean) => void } {
  const [isOn, setState] = useState(() => readItem(NAME) !== 'off');
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isOn || !isPlain || isTaken(event.target)) return;
    const key = event.key.toLowerCase();
    if (key === 'j' || key === 'k') turn(key === 'j' ? 1 : -1);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return {
    isOn,
    setOn(isOn) {
      setState(isOn);
      writeItem(NAME, isOn ? 'on' : 'off');
    },
  };
}
