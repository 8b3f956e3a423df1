import { drawInFrame } from './diagram-frame.ts';
import styles from './diagrams.module.css';

/** How far below the viewport a diagram is drawn in advance. */
const PRELOAD_MARGIN = '1200px 0px';

/** As in the server's HTML of a stored drawing (platform/text/code-blocks.ts). */
const MIN_SCALE = 0.8;

const toDataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** A picture runs no script and loads nothing, whatever the drawing contains. */
function toPicture(theme: string, svg: string, { width, height }: { width: number; height: number }) {
  const picture = Object.assign(new Image(width, height), { src: toDataUrl(svg), alt: '图表' });
  picture.className = `diagram-${theme}`;
  picture.dataset.zoom = '';
  picture.tabIndex = 0;
  picture.setAttribute('role', 'button');
  picture.setAttribute('aria-label', '放大图表');
  return picture;
}

function toStrut(width: number): SVGSVGElement {
  const strut = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  strut.setAttribute('width', String(Math.round(width * MIN_SCALE)));
  strut.setAttribute('height', '0');
  strut.setAttribute('aria-hidden', 'true');
  return strut;
}

/** The source stays visible until the diagram is drawn, and for good when that fails. */
async function draw(figure: HTMLElement, basePath: string, signal: AbortSignal): Promise<void> {
  const source = figure.querySelector('pre');
  if (source === null) return;
  try {
    const { light, dark, ...size } = await drawInFrame(source.textContent, basePath);
    if (signal.aborted) return;
    const view = Object.assign(document.createElement('div'), { className: 'diagram-view' });
    view.append(toStrut(size.width), toPicture('light', light, size), toPicture('dark', dark, size));
    const { top, bottom, height } = figure.getBoundingClientRect();
    // A figure in view keeps its height, so that the text below does not move.
    if (top < innerHeight && bottom > 0) {
      figure.style.height = `${height}px`;
      figure.classList.add(styles.fixed ?? '');
    }
    figure.prepend(view);
    figure.dataset.diagram = 'drawn';
  } catch {
    if (signal.aborted) return;
    figure.dataset.diagram = 'failed';
    const hint = Object.assign(document.createElement('p'), {
      textContent: '这张图没有画出来，上面是它的源码。',
    });
    hint.className = styles.hint ?? '';
    figure.append(hint);
  }
}

/** The stored drawing could not be loaded. */
function removeStored(figure: HTMLElement): void {
  figure.querySelector('.diagram-view')?.remove();
  figure.dataset.diagram = '';
}

/** Draw the remaining diagrams of the page. */
const pending = new Set<() => Promise<unknown>>();

/** Diagrams are printed in light colours, whatever the theme of the screen. */
async function loadForPrint(): Promise<void> {
  const pictures = document.querySelectorAll<HTMLImageElement>('img.diagram-light');
  await Promise.all(
    [...pictures].map((picture) => {
      picture.loading = 'eager';
      return picture.decode().catch(() => {});
    }),
  );
}

/** Prints when all diagrams are drawn, including those outside the viewport. */
export async function printWithDiagrams(): Promise<void> {
  await Promise.all([...pending].map((draw) => draw()));
  await loadForPrint();
  print();
}

/** Draws each figure shortly before it is scrolled into view, or before printing. */
export function drawDiagrams(figures: Iterable<HTMLElement>, basePath: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const all = [...figures];
  const drawings = new Map<Element, Promise<void>>();
  const drawOnce = (figure: HTMLElement): Promise<void> => {
    observer.unobserve(figure);
    const drawing = drawings.get(figure) ?? draw(figure, basePath, signal);
    drawings.set(figure, drawing);
    return drawing;
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) void drawOnce(target as HTMLElement);
    },
    { rootMargin: PRELOAD_MARGIN },
  );
  for (const figure of all) {
    if (figure.dataset.diagram === 'stored') removeStored(figure);
    observer.observe(figure);
  }

  const drawAll = () => Promise.all(all.map(drawOnce));
  pending.add(drawAll);
  addEventListener(
    'keydown',
    (event) => {
      if (event.defaultPrevented || event.key !== 'p' || event.ctrlKey === event.metaKey) return;
      if (event.shiftKey || event.altKey) return;
      event.preventDefault();
      void printWithDiagrams();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    observer.disconnect();
    pending.delete(drawAll);
  });
}
