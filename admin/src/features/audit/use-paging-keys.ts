import { readItem, writeItem } from '@mozhan/client/storage.ts';
import { useEffect, useEffectEvent, useState } from 'react';

const STORAGE_KEY = 'admin.audit.keys';

/** The key belongs to a text field or an open dialog. */
const isTextInput = (target: EventTarget | null): boolean =>
  !(target instanceof Element) ||
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"]') !==
    null;

/**
 * J and K open the next and the previous essay. Single-letter shortcuts interfere with speech input, so users can
 * switch them off; the choice is stored in this browser.
 */
export function usePagingKeys(onPage: (by: 1 | -1) => void): {
  isOn: boolean;
  setOn: (isOn: boolean) => void;
} {
  const [isOn, setState] = useState(() => readItem(STORAGE_KEY) !== 'off');
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isOn || !isPlain || isTextInput(event.target)) return;
    const key = event.key.toLowerCase();
    if (key === 'j' || key === 'k') onPage(key === 'j' ? 1 : -1);
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
      writeItem(STORAGE_KEY, isOn ? 'on' : 'off');
    },
  };
}
