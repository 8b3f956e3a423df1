import styles from './footnotes.module.css';

const EDGE_MARGIN = 16;
const HIDE_DELAY_MS = 200;
const ID = 'footnote-note';

function noteContentOf(reference: HTMLAnchorElement): Node[] {
  const target = document.getElementById(decodeURIComponent(reference.hash.slice(1)));
  if (target === null) return [];
  const copy = target.cloneNode(true) as HTMLElement;
  for (const back of copy.querySelectorAll('[data-footnote-backref]')) back.remove();
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
  return [...copy.childNodes];
}

const referenceAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-footnote-ref]') : null;

/** Shows a footnote beside its number on hover, focus or click. Without scripts the number is a link. */
export function attachFootnotes(root: HTMLElement, signal: AbortSignal): void {
  const popup = document.createElement('div');
  popup.className = styles.note ?? '';
  popup.id = ID;
  popup.setAttribute('role', 'note');
  popup.hidden = true;
  let current: HTMLAnchorElement | null = null;
  let hideTimer: ReturnType<typeof setTimeout> | undefined;

  function hide(): void {
    clearTimeout(hideTimer);
    current?.removeAttribute('aria-describedby');
    current = null;
    popup.hidden = true;
  }

  function show(reference: HTMLAnchorElement): boolean {
    clearTimeout(hideTimer);
    if (current === reference) return true;
    const note = noteContentOf(reference);
    if (note.length === 0) return false;
    hide();
    current = reference;
    reference.setAttribute('aria-describedby', ID);
    popup.replaceChildren(...note);
    popup.hidden = false;
    const { left, bottom, top } = reference.getBoundingClientRect();
    const { width, height } = popup.getBoundingClientRect();
    const isBelow = bottom + height + EDGE_MARGIN < innerHeight;
    const maxLeft = document.documentElement.clientWidth - width - EDGE_MARGIN;
    popup.style.left = `${Math.max(EDGE_MARGIN, Math.min(left - EDGE_MARGIN, maxLeft)) + scrollX}px`;
    popup.style.top = `${(isBelow ? bottom + 6 : top - height - 6) + scrollY}px`;
    return true;
  }

  const hideSoon = () => {
    clearTimeout(hideTimer);
    hideTimer = setTimeout(hide, HIDE_DELAY_MS);
  };

  document.body.append(popup);
  signal.addEventListener('abort', () => {
    hide();
    popup.remove();
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
      else if (current !== null && document.activeElement !== current) hideSoon();
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
  popup.addEventListener('pointerenter', () => clearTimeout(hideTimer), { signal });
  popup.addEventListener('pointerleave', hideSoon, { signal });
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (!(target instanceof Node) || (!popup.contains(target) && referenceAt(target) !== current)) hide();
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
