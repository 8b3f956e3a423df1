import { copyText } from '#web/ui/copy-text.ts';
import { toast } from '#web/ui/toast.tsx';
import { watchFootnotes } from './footnotes.ts';
import { openLightbox } from './lightbox.ts';

const COPIED_MS = 2000;

/** Lines stand in elements of their own, with or without a break between them. */
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

/** Pictures that are links lead where they lead; all others can be seen large. */
function makeZoomable(root: HTMLElement): void {
  for (const image of root.querySelectorAll<HTMLImageElement>('img[data-zoom]')) {
    if (image.closest('a') !== null) continue;
    image.tabIndex = 0;
    image.setAttribute('role', 'button');
    image.setAttribute('aria-label', image.alt === '' ? '放大图片' : `放大图片：${image.alt}`);
  }
}

const zoomed = (target: Element) => target.closest<HTMLImageElement>('img[data-zoom][role="button"]');

/** One listener of each kind for the whole text, however many parts it has, until it is no longer shown. */
export function enliven(root: HTMLElement, signal: AbortSignal): void {
  if (signal.aborted) return;
  makeZoomable(root);
  watchFootnotes(root, signal);
  root.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return;
      const button = target.closest<HTMLElement>('[data-copy]');
      const anchor = target.closest<HTMLAnchorElement>('a.anchor');
      const image = zoomed(target);
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
      const image = event.target instanceof Element ? zoomed(event.target) : null;
      if (image === null) return;
      event.preventDefault();
      openLightbox(image);
    },
    { signal },
  );
}
