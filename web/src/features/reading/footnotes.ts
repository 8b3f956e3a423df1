import styles from './footnotes.module.css';

const EDGE = 16;
const LEAVE_MS = 200;
const ID = 'footnote-note';

/** The words of a footnote without the way back. */
function noteOf(reference: HTMLAnchorElement): Node[] {
  const target = document.getElementById(decodeURIComponent(reference.hash.slice(1)));
  if (target === null) return [];
  const copy = target.cloneNode(true) as HTMLElement;
  for (const back of copy.querySelectorAll('[data-footnote-backref]')) back.remove();
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
  return [...copy.childNodes];
}

const referenceAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-footnote-ref]') : null;

/** A footnote beside its number: under the pointer, with the focus, or by a click. Without it the number is a jump. */
export function watchFootnotes(root: HTMLElement, signal: AbortSignal): void {
  const box = document.createElement('div');
  box.className = styles.note ?? '';
  box.id = ID;
  box.setAttribute('role', 'note');
  box.hidden = true;
  let shown: HTMLAnchorElement | null = null;
  let leaving: ReturnType<typeof setTimeout> | undefined;

  function hide(): void {
    clearTimeout(leaving);
    shown?.removeAttribute('aria-describedby');
    shown = null;
    box.hidden = true;
  }

  function show(reference: HTMLAnchorElement): boolean {
    clearTimeout(leaving);
    if (shown === reference) return true;
    const note = noteOf(reference);
    if (note.length === 0) return false;
    hide();
    shown = reference;
    reference.setAttribute('aria-describedby', ID);
    box.replaceChildren(...note);
    box.hidden = false;
    const { left, bottom, top } = reference.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const isBelow = bottom + height + EDGE < innerHeight;
    const most = document.documentElement.clientWidth - width - EDGE;
    box.style.left = `${Math.max(EDGE, Math.min(left - EDGE, most)) + scrollX}px`;
    box.style.top = `${(isBelow ? bottom + 6 : top - height - 6) + scrollY}px`;
    return true;
  }

  const leave = () => {
    clearTimeout(leaving);
    leaving = setTimeout(hide, LEAVE_MS);
  };

  document.body.append(box);
  signal.addEventListener('abort', () => {
    hide();
    box.remove();
  });
  root.addEventListener(
    'click',
    (event) => {
      const reference = referenceAt(event.target);
      if (reference !== null && show(reference)) event.preventDefault();
    },
    { signal },
  );
  root.addEventListener(
    'pointerover',
    (event) => {
      const reference = event.pointerType === 'mouse' ? referenceAt(event.target) : null;
      if (reference !== null) show(reference);
      else if (shown !== null && document.activeElement !== shown) leave();
    },
    { signal },
  );
  root.addEventListener(
    'focusin',
    (event) => {
      const reference = referenceAt(event.target);
      if (reference !== null) show(reference);
      else hide();
    },
    { signal },
  );
  box.addEventListener('pointerenter', () => clearTimeout(leaving), { signal });
  box.addEventListener('pointerleave', leave, { signal });
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!(target instanceof Node) || (!box.contains(target) && referenceAt(target) !== shown)) hide();
    },
    { signal },
  );
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape') hide();
    },
    { signal },
  );
}
