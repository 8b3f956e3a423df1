import styles from './diagrams.module.css';

/** A loaded frame that sends no message for so long has failed. */
const DRAW_TIMEOUT_MS = 20_000;
/** The drawing program is large, and the line may be slow; a submission waits for it. */
const LOAD_TIMEOUT_MS = 60_000;

/** A diagram in both themes, as SVG of the given size. */
export interface Drawing {
  light: string;
  dark: string;
  width: number;
  height: number;
}

interface FrameMessage extends Drawing {
  kind: 'ready' | 'drawn' | 'failed';
  id: number;
}

const isFrameMessage = (data: unknown): data is FrameMessage =>
  typeof data === 'object' && data !== null && 'kind' in data;

/** What the author's diagram made the frame send may be anything. */
function toDrawing({ light, dark, width, height }: FrameMessage): Drawing {
  if (typeof light !== 'string' || typeof dark !== 'string') throw new Error('not a drawing');
  if (!(Number(width) > 0) || !(Number(height) > 0)) throw new Error('the drawing has no size');
  return { light, dark, width: Number(width), height: Number(height) };
}

interface Frame {
  element: HTMLIFrameElement;
  /** Its document has loaded, with or without the program. */
  loaded: Promise<void>;
  ready: Promise<void>;
}

let frame: Frame | undefined;
let lastId = 0;

function closeFrame(): void {
  frame?.element.remove();
  frame = undefined;
}

function openFrame(basePath: string): Frame {
  // A navigation may have removed it.
  if (frame?.element.isConnected) return frame;
  const opened = document.createElement('iframe');
  opened.className = styles.frame ?? '';
  opened.title = '图表';
  opened.tabIndex = -1;
  opened.setAttribute('aria-hidden', 'true');
  // Without an origin, the author's diagram cannot reach the reader's session.
  opened.setAttribute('sandbox', 'allow-scripts');
  opened.src = `${basePath}/diagram.html`;
  const loaded = new Promise<void>((resolve) => {
    opened.addEventListener('load', () => resolve(), { once: true });
    // A frame that a navigation removes never loads.
    setTimeout(resolve, LOAD_TIMEOUT_MS);
  });
  const ready = new Promise<void>((resolve) => {
    const onMessage = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== opened.contentWindow || !isFrameMessage(data) || data.kind !== 'ready') return;
      removeEventListener('message', onMessage);
      resolve();
    };
    addEventListener('message', onMessage);
  });
  document.body.append(opened);
  frame = { element: opened, loaded, ready };
  return frame;
}

let queue: Promise<unknown> = Promise.resolve();

/** Draws a diagram in both themes in a frame that all diagrams of the page share, one after the other. */
export function drawInFrame(source: string, basePath: string): Promise<Drawing> {
  const drawing = queue.then(() => drawNext(source, basePath));
  queue = drawing.catch(() => {});
  return drawing;
}

async function drawNext(source: string, basePath: string): Promise<Drawing> {
  const { element, loaded, ready } = openFrame(basePath);
  await loaded;
  const stop = new AbortController();
  lastId += 1;
  const id = lastId;
  try {
    return await new Promise<Drawing>((resolve, reject) => {
      const timeout = setTimeout(() => {
        // A diagram that hangs must not delay the others.
        closeFrame();
        reject(new Error('the frame does not answer'));
      }, DRAW_TIMEOUT_MS);
      stop.signal.addEventListener('abort', () => clearTimeout(timeout));
      addEventListener(
        'message',
        ({ source: from, data }: MessageEvent<unknown>) => {
          if (from !== element.contentWindow || !isFrameMessage(data) || data.id !== id) return;
          if (data.kind === 'drawn') resolve(toDrawing(data));
          else reject(new Error('not a diagram'));
        },
        { signal: stop.signal },
      );
      void ready.then(() => element.contentWindow?.postMessage({ id, source }, '*'));
    });
  } finally {
    stop.abort();
  }
}
