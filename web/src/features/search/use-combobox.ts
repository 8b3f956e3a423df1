import { type RefObject, useEffect, useRef, useState } from 'react';
import { isComposing } from '#web/lib/composition.ts';

interface Combobox {
  id: string;
  input: RefObject<HTMLInputElement | null>;
  /** How many lines there are to choose from. */
  count: number;
  onPick: (index: number) => void;
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** What is typed, as far as the input method has settled it, and whether the list under the box is wanted. */
export function useTyped(input: RefObject<HTMLInputElement | null>) {
  const [typed, setTyped] = useState(() => (isComposing() ? '' : (input.current?.value ?? '')));
  const [isOpen, setOpen] = useState(true);

  useEffect(() => {
    const box = input.current;
    if (box === null) return;
    const stop = new AbortController();
    const { signal } = stop;
    const take = () => {
      setTyped(box.value);
      setOpen(true);
    };
    box.addEventListener('input', (event) => !(event as InputEvent).isComposing && take(), { signal });
    box.addEventListener('compositionend', take, { signal });
    box.addEventListener('focus', () => setOpen(true), { signal });
    box.addEventListener('click', () => setOpen(true), { signal });
    box.addEventListener('blur', () => setOpen(false), { signal });
    // Somebody may have typed on while this was being made.
    if (!isComposing()) setTyped(box.value);
    return () => stop.abort();
  }, [input]);

  return { typed, isOpen, setOpen };
}

/**
 * Arrows, Enter and Escape in a box with a list under it. The box is another component's, so it is told what a
 * screen reader has to know.
 */
export function useKeys(combobox: Combobox, isOpen: boolean, setOpen: (open: boolean) => void): number {
  const { id, input, count } = combobox;
  const [active, setActive] = useState(-1);
  const latest = useRef({ ...combobox, active, isOpen });
  latest.current = { ...combobox, active, isOpen };

  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines, or none: nothing is chosen
  useEffect(() => setActive(-1), [count, isOpen]);

  useEffect(() => {
    input.current?.setAttribute('aria-expanded', String(isOpen && count > 0));
    if (active >= 0) input.current?.setAttribute('aria-activedescendant', `${id}-${active}`);
    else input.current?.removeAttribute('aria-activedescendant');
  }, [id, input, isOpen, count, active]);

  useEffect(() => {
    const box = input.current;
    if (box === null) return;
    const stop = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      // The keys belong to the input method while it composes.
      if (event.isComposing || event.keyCode === 229) return;
      const { active, count, isOpen, onPick } = latest.current;
      const step = steps[event.key];
      if (step !== undefined && count > 0) {
        setOpen(true);
        // One place more than there are lines: the box itself.
        setActive(((active + 1 + step + count + 1) % (count + 1)) - 1);
      } else if (event.key === 'Enter' && isOpen && active >= 0) onPick(active);
      else if (event.key === 'Escape' && isOpen && count > 0) setOpen(false);
      else return;
      event.preventDefault();
    };
    box.addEventListener('keydown', onKeyDown, { signal: stop.signal });
    box.form?.addEventListener('submit', () => setOpen(false), { signal: stop.signal });
    return () => stop.abort();
  }, [input, setOpen]);

  return active;
}
