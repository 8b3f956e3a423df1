/**
 * Draws one diagram in an iframe without an origin, so that the author's source cannot access the page or its reader.
 * The page posts the source and the theme; the frame posts back its height and whether drawing succeeded.
 */
import mermaid from 'mermaid';

interface DrawRequest {
  source: string;
  dark: boolean;
}

const isDrawRequest = (data: unknown): data is DrawRequest =>
  typeof data === 'object' && data !== null && 'source' in data && typeof data.source === 'string';

const postToPage = (data: object) => parent.postMessage(data, '*');

/** The height of the drawing at the current width, independent of the frame's current height. */
function requiredHeight(): number {
  const { width = 0, height = 0 } = document.querySelector('svg')?.viewBox.baseVal ?? {};
  return width === 0 ? document.body.scrollHeight : height * Math.min(1, innerWidth / width);
}

const postDrawn = () =>
  postToPage({
    kind: 'drawn',
    height: requiredHeight(),
    dark: document.documentElement.dataset.theme === 'dark',
  });

const FONT = getComputedStyle(document.documentElement).fontFamily;

let latestRun = 0;

async function draw({ source, dark }: DrawRequest): Promise<void> {
  latestRun += 1;
  const run = latestRun;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    fontFamily: FONT,
    suppressErrorRendering: true,
  });
  try {
    const { svg } = await mermaid.render(`drawing-${run}`, source);
    if (run !== latestRun) return;
    document.body.innerHTML = svg;
    postDrawn();
  } catch {
    postToPage({ kind: 'failed' });
  }
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && isDrawRequest(data)) void draw(data);
});
addEventListener('resize', () => {
  if (document.body.firstElementChild !== null) postDrawn();
});
postToPage({ kind: 'ready' });
