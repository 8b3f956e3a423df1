import styles from './diagrams.module.css';

/** How far below the viewport a diagram is drawn in advance. */
const PRELOAD_MARGIN = '1200px 0px';

/** A frame that sends no message for so long has failed. */
const DRAW_TIMEOUT_MS = 20_000;

interface FrameMessage {
  kind: 'ready' | 'drawn' | 'failed';
  height?: number;
  dark?: boolean;
}

const isFrameMessage = (data: unknown): data is FrameMessage =>
  typeof data === 'object' && data !== null && 'kind' in data;

/** Diagrams are printed in light colours, whatever the theme of the screen. */
let isPrinting = false;
const isDark = () => !isPrinting && document.documentElement.dataset.theme === 'dark';

/** Draws the diagram in the current theme; resolves when that is done or has failed. */
type Redraw = () => Promise<void>;

function newFrame(basePath: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = styles.frame ?? '';
  frame.title = '图表';
  // Without an origin, the author's diagram cannot reach the reader's session.
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = `${basePath}/diagram.html`;
  return frame;
}

/** The source stays visible until the diagram is drawn, and for good when that fails. */
function draw(figure: HTMLElement, basePath: string, signal: AbortSignal): Redraw {
  const source = figure.querySelector('pre');
  if (source === null) return async () => {};
  const frame = newFrame(basePath);
  const controller = new AbortController();
  /** The height of a figure that was in view when it was drawn, kept so that the text below does not move. */
  let fixedHeight: number | undefined;
  let drawnDark: boolean | undefined;
  let pendingRedraws: (() => void)[] = [];
  const requestDrawing = () => {
    frame.contentWindow?.postMessage({ source: source.textContent, dark: isDark() }, '*');
  };
  const resolvePending = () => {
    for (const resolve of pendingRedraws) resolve();
    pendingRedraws = [];
  };
  const theme = new MutationObserver(requestDrawing);
  const timeout = setTimeout(fail, DRAW_TIMEOUT_MS);
  const stop = () => {
    clearTimeout(timeout);
    controller.abort();
    theme.disconnect();
    resolvePending();
  };
  signal.addEventListener('abort', stop);

  function fail(): void {
    stop();
    frame.remove();
    figure.dataset.diagram = 'failed';
    const hint = Object.assign(document.createElement('p'), {
      textContent: '这张图没有画出来，上面是它的源码。',
    });
    hint.className = styles.hint ?? '';
    figure.append(hint);
  }

  addEventListener(
    'message',
    ({ source: from, data }: MessageEvent<unknown>) => {
      if (from !== frame.contentWindow || !isFrameMessage(data)) return;
      if (data.kind === 'ready') requestDrawing();
      else if (data.kind === 'failed') fail();
      else {
        clearTimeout(timeout);
        const { top, bottom } = figure.getBoundingClientRect();
        if (figure.dataset.diagram !== 'drawn' && top < innerHeight && bottom > 0)
          fixedHeight = figure.clientHeight;
        else if (top >= innerHeight) fixedHeight = undefined;
        frame.style.height = `${fixedHeight ?? Math.ceil(Number(data.height) || 0)}px`;
        figure.dataset.diagram = 'drawn';
        drawnDark = data.dark;
        if (drawnDark === isDark()) resolvePending();
      }
    },
    { signal: controller.signal },
  );
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  figure.append(frame);

  return async () => {
    if (controller.signal.aborted || drawnDark === isDark()) return;
    const drawn = new Promise<void>((resolve) => pendingRedraws.push(resolve));
    if (drawnDark !== undefined) requestDrawing();
    await drawn;
  };
}

let redrawAll: Redraw | undefined;

/** Prints when all diagrams are drawn, including those outside the viewport. */
export async function printWithDiagrams(): Promise<void> {
  isPrinting = true;
  addEventListener(
    'afterprint',
    () => {
      isPrinting = false;
      void redrawAll?.();
    },
    { once: true },
  );
  await redrawAll?.();
  print();
}

/** Draws each `[data-diagram]` element shortly before it is scrolled into view, or before printing. */
export function drawDiagrams(figures: Iterable<Element>, basePath: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const all = [...figures] as HTMLElement[];
  const drawings = new Map<Element, Redraw>();
  const drawingOf = (figure: HTMLElement): Redraw => {
    observer.unobserve(figure);
    const drawing = drawings.get(figure) ?? draw(figure, basePath, signal);
    drawings.set(figure, drawing);
    return drawing;
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) drawingOf(target as HTMLElement);
    },
    { rootMargin: PRELOAD_MARGIN },
  );
  for (const figure of all) observer.observe(figure);

  const redraw = async () => {
    await Promise.all(all.map((figure) => drawingOf(figure)()));
  };
  redrawAll = redraw;
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'p' || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void printWithDiagrams();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    observer.disconnect();
    if (redrawAll === redraw) redrawAll = undefined;
  });
}
