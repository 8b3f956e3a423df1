/**
 * Draws one diagram in a frame without an origin: what the author wrote can reach neither the page nor its reader.
 * The page sends the source and the theme; the frame answers with its height and how it has drawn.
 */
import mermaid from 'mermaid';

interface Order {
  source: string;
  dark: boolean;
}

const isOrder = (data: unknown): data is Order =>
  typeof data === 'object' && data !== null && 'source' in data && typeof data.source === 'string';

const answer = (data: object) => parent.postMessage(data, '*');

/** What the drawing needs at this width, however high the frame is just now. */
function heightNeeded(): number {
  const { width = 0, height = 0 } = document.querySelector('svg')?.viewBox.baseVal ?? {};
  return width === 0 ? document.body.scrollHeight : height * Math.min(1, innerWidth / width);
}

const answerDrawn = () =>
  answer({
    kind: 'drawn',
    height: heightNeeded(),
    dark: document.documentElement.dataset.theme === 'dark',
  });

/** As the site's text is set; see tokens.css. */
const FONT = getComputedStyle(document.documentElement).fontFamily;

let turn = 0;

async function draw({ source, dark }: Order): Promise<void> {
  turn += 1;
  const own = turn;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: dark ? 'dark' : 'neutral',
    fontFamily: FONT,
    suppressErrorRendering: true,
  });
  try {
    const { svg } = await mermaid.render(`drawing-${own}`, source);
    if (own !== turn) return;
    document.body.innerHTML = svg;
    answerDrawn();
  } catch {
    answer({ kind: 'failed' });
  }
}

addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source === parent && isOrder(data)) void draw(data);
});
addEventListener('resize', () => {
  if (document.body.firstElementChild !== null) answerDrawn();
});
answer({ kind: 'ready' });
