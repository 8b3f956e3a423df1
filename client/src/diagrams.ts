import styles from './diagrams.module.css';

/** How far below the screen a diagram is drawn already. */
const AHEAD = '1200px 0px';

/** A frame that says nothing for so long will not draw. */
const WAIT_MS = 20_000;

/** What the frame tells: it is ready, it has drawn, it could not. */
interface Answer {
  kind: 'ready' | 'drawn' | 'failed';
  height?: number;
  dark?: boolean;
}

const isAnswer = (data: unknown): data is Answer =>
  typeof data === 'object' && data !== null && 'kind' in data;

/** Paper is light, whatever the screen shows. */
let isPrinting = false;
const isDark = () => !isPrinting && document.documentElement.dataset.theme === 'dark';

/** Draws it as it has to be now; settles when that is done or given up. */
type Redraw = () => Promise<void>;

function newFrame(basePath: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.className = styles.frame ?? '';
  frame.title = '图表';
  // No origin of its own: what it draws is the author's, and must not reach the reader's session.
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = `${basePath}/diagram.html`;
  return frame;
}

/** The source stays where it is until the drawing is there, and for good when it cannot be drawn. */
function draw(figure: HTMLElement, basePath: string, signal: AbortSignal): Redraw {
  const source = figure.querySelector('pre');
  if (source === null) return async () => {};
  const frame = newFrame(basePath);
  const over = new AbortController();
  /** The height of the figure that was in view when it was drawn: what stands below it must not move. */
  let held: number | undefined;
  let shown: boolean | undefined;
  let waiting: (() => void)[] = [];
  const ask = () => {
    frame.contentWindow?.postMessage({ source: source.textContent, dark: isDark() }, '*');
  };
  const settle = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  const theme = new MutationObserver(ask);
  const late = setTimeout(fail, WAIT_MS);
  const end = () => {
    clearTimeout(late);
    over.abort();
    theme.disconnect();
    settle();
  };
  signal.addEventListener('abort', end);

  function fail(): void {
    end();
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
      if (from !== frame.contentWindow || !isAnswer(data)) return;
      if (data.kind === 'ready') ask();
      else if (data.kind === 'failed') fail();
      else {
        clearTimeout(late);
        const { top, bottom } = figure.getBoundingClientRect();
        if (figure.dataset.diagram !== 'drawn' && top < innerHeight && bottom > 0) held = figure.clientHeight;
        else if (top >= innerHeight) held = undefined;
        frame.style.height = `${held ?? Math.ceil(Number(data.height) || 0)}px`;
        figure.dataset.diagram = 'drawn';
        shown = data.dark;
        if (shown === isDark()) settle();
      }
    },
    { signal: over.signal },
  );
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  figure.append(frame);

  return async () => {
    if (over.signal.aborted || shown === isDark()) return;
    const drawn = new Promise<void>((resolve) => waiting.push(resolve));
    if (shown !== undefined) ask();
    await drawn;
  };
}

/** Those of the text that is shown, all of them. */
let redrawAll: Redraw | undefined;

/** Prints when every diagram is there, also those that nobody has come near. */
export async function printDrawn(): Promise<void> {
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

/** Each `[data-diagram]` when it comes near, or is to be printed. */
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
    { rootMargin: AHEAD },
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
      void printDrawn();
    },
    { signal },
  );
  signal.addEventListener('abort', () => {
    observer.disconnect();
    if (redrawAll === redraw) redrawAll = undefined;
  });
}
