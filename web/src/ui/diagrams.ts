import styles from './diagrams.module.css';

/** How far below the screen a diagram is drawn already. */
const AHEAD = '600px 0px';

/** A frame that says nothing for so long will not draw. */
const WAIT_MS = 20_000;

/** What the frame tells: it is ready, it has drawn, it could not. */
interface Answer {
  kind: 'ready' | 'drawn' | 'failed';
  height?: number;
}

const isAnswer = (data: unknown): data is Answer =>
  typeof data === 'object' && data !== null && 'kind' in data;

const isDark = () => document.documentElement.dataset.theme === 'dark';

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
function draw(figure: HTMLElement, basePath: string, signal: AbortSignal): void {
  const source = figure.querySelector('pre');
  if (source === null) return;
  const frame = newFrame(basePath);
  const over = new AbortController();
  const ask = () => {
    frame.contentWindow?.postMessage({ source: source.textContent, dark: isDark() }, '*');
  };
  const theme = new MutationObserver(ask);
  const late = setTimeout(fail, WAIT_MS);
  const end = () => {
    clearTimeout(late);
    over.abort();
    theme.disconnect();
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
        frame.style.height = `${Math.ceil(Number(data.height) || 0)}px`;
        figure.dataset.diagram = 'drawn';
      }
    },
    { signal: over.signal },
  );
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  figure.append(frame);
}

/** Each `[data-diagram]` when it comes near. */
export function drawDiagrams(figures: Iterable<Element>, basePath: string, signal: AbortSignal): void {
  if (signal.aborted) return;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        draw(target as HTMLElement, basePath, signal);
      }
    },
    { rootMargin: AHEAD },
  );
  for (const figure of figures) observer.observe(figure);
  signal.addEventListener('abort', () => observer.disconnect());
}
