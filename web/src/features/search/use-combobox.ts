import { type RefObject, useEffect, useRef, useState } from 'react';
import { isComposing } from '#web/lib/composition.ts';

interface Combobox {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  /** The number of entries in the list. */
  count: number;
  onPick: (index: number) => void;
}

const arrowSteps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The text typed into the box without an unfinished composition, and whether the list is open. */
export function useTypedText(input: RefObject<HTMLInputElement | null>) {
  const [typed, setTyped] = useState(() => (isComposing() ? '' : (input.current?.value ?? '')));
  const [isOpen, setOpen] = useState(true);

  useEffect(() => {
    const element = input.current;
    if (element === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const update = () => {
      setTyped(element.value);
      setOpen(true);
    };
    element.addEventListener('input', (event) => !(event as InputEvent).isComposing && update(), { signal });
    element.addEventListener('compositionend', update, { signal });
    element.addEventListener('focus', () => setOpen(true), { signal });
    element.addEventListener('click', () => setOpen(true), { signal });
    element.addEventListener('blur', () => setOpen(false), { signal });
    // The reader may have typed on while this code was loading.
    if (!isComposing()) setTyped(element.value);
    return () => stop.abort();
  }, [input]);

  return { typed, isOpen, setOpen };
}

/** Handles arrows, Enter and Escape, and sets the ARIA attributes on the box, which another component renders. */
export function useListKeys(combobox: Combobox, isOpen: boolean, setOpen: (open: boolean) => void): number {
  const { id, input, count } = combobox;
  const [active, setActive] = useState(-1);
  const latest = useRef({ ...combobox, active, isOpen });
  latest.current = { ...combobox, active, isOpen };

  // biome-ignore lint/correctness/useExhaustiveDependencies: new or no entries clear the selection
  useEffect(() => setActive(-1), [count, isOpen]);

  useEffect(() => {
    input.current?.setAttribute('aria-expanded', String(isOpen && count > 0));
    if (active >= 0) input.current?.setAttribute('aria-activedescendant', `${id}-${active}`);
    else input.current?.removeAttribute('aria-activedescendant');
  }, [id, input, isOpen, count, active]);

  useEffect(() => {
    const element = input.current;
    if (element === null) return;
    const stop = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      // The input method handles keys while it composes.
      if (event.isComposing || event.keyCode === 229) return;
      const { active, count, isOpen, onPick } = latest.current;
      const step = arrowSteps[event.key];
      if (step !== undefined && count > 0) {
        setOpen(true);
        // One position more than there are entries: the box itself.
        setActive(((active + 1 + step + count + 1) % (count + 1)) - 1);
      } else if (event.key === 'Enter' && isOpen && active >= 0) onPick(active);
      else if (event.key === 'Escape' && isOpen && count > 0) setOpen(false);
      else return;
      event.preventDefault();
    };
    element.addEventListener('keydown', onKeyDown, { signal: stop.signal });
    element.form?.addEventListener('submit', () => setOpen(false), { signal: stop.signal });
    return () => stop.abort();
  }, [input, setOpen]);

  return active;
}
