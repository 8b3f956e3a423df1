import { copyText } from '#web/ui/copy-text.ts';
import { toast } from '#web/ui/toast.tsx';
import { attachFootnotes } from './footnotes.ts';
import { openLightbox } from './lightbox.ts';
import { zoomLabelOf } from './zoom-label.ts';

const COPIED_MS = 2000;

/** Each line of code is an element, with or without a line break between them. */
function codeOf(figure: Element): string {
  const lines = [...figure.querySelectorAll('pre .line')].map((line) => line.textContent);
  return lines.length > 0 ? lines.join('\n') : (figure.querySelector('pre')?.textContent ?? '');
}

async function copyCode(button: HTMLElement): Promise<void> {
  const figure = button.closest('figure');
  if (figure === null || !(await copyText(codeOf(figure)))) return;
  const label = button.textContent;
  button.textContent = '已复制';
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_MS);
}

async function copySection(link: HTMLAnchorElement): Promise<void> {
  if (await copyText(link.href)) toast('本节链接已复制');
}

/** Makes all pictures zoomable except those inside links. */
function makeZoomable(root: HTMLElement): void {
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-zoom]')) {
    if (image.closest('a') !== null) continue;
    image.tabIndex = 0;
    image.setAttribute('role', 'button');
    image.setAttribute('aria-label', zoomLabelOf(image.alt));
  }
}

const zoomableImageAt = (target: Element) =>
  target.closest<HTMLImageElement>('img[data-zoom][role="button"]');

/** Uses one listener per event for the entire text, however many parts it has. */
export function attachTextBehaviour(root: HTMLElement, signal: AbortSignal): void {
  if (signal.aborted) return;
  makeZoomable(root);
  attachFootnotes(root, signal);
  root.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      const button = target.closest<HTMLElement>('[data-copy]');
      const anchor = target.closest<HTMLAnchorElement>('a.anchor');
      const image = zoomableImageAt(target);
      if (button !== null) void copyCode(button);
      else if (anchor !== null) void copySection(anchor);
      else if (image !== null) openLightbox(image);
    },
    { signal },
  );
  root.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      const image = event.target instanceof Element ? zoomableImageAt(event.target) : null;
      if (image === null) return;
      event.preventDefault();
      openLightbox(image);
    },
    { signal },
  );
}
