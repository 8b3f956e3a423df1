/**
 * Draws diagrams in an iframe without an origin, so that the author's source cannot access the page or its reader.
 * The page posts a source; the frame posts back the drawing in both themes as SVG that the page shows as a picture.
 */
import mermaid from 'mermaid';
import { adjust } from './diagram/adjust.ts';
import { type FlatDrawing, flatten } from './diagram/flatten.ts';
import { configOf, type Theme, tokenOf } from './diagram/theme.ts';

interface DrawRequest {
  id: number;
  source: string;
}

const isDrawRequest = (data: unknown): data is DrawRequest =>
  typeof data === 'object' &&
  data !== null &&
  'id' in data &&
  typeof data.id === 'number' &&
  'source' in data &&
  typeof data.source === 'string';

const postToPage = (data: object) => parent.postMessage(data, '*');

const PADDING = 16;

async function drawTheme(source: string, theme: Theme): Promise<FlatDrawing> {
  mermaid.initialize(configOf(theme));
  const { svg } = await mermaid.render('drawing', source);
  document.body.innerHTML = svg;
  const root = document.querySelector('svg');
  if (root === null) throw new Error('nothing was drawn');
  const { width, height } = root.viewBox.baseVal;
  // Text is measured at the natural size.
  Object.assign(root.style, { maxWidth: 'none', width: `${width}px`, height: `${height}px` });
  try {
    adjust(root);
    return flatten(root, { background: tokenOf('--code-bg', theme), padding: PADDING });
  } finally {
    document.body.replaceChildren();
  }
}

async function draw({ id, source }: DrawRequest): Promise<void> {
  try {
    const light = await drawTheme(source, 'light');
    const dark = await drawTheme(source, 'dark');
    postToPage({
      kind: 'drawn',
      id,
      light: light.svg,
      dark: dark.svg,
      width: light.width,
      height: light.height,
    });
  } catch {
    postToPage({ kind: 'failed', id });
  }
}

let drawing = Promise.resolve();
addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
  if (source !== parent || !isDrawRequest(data)) return;
  // Mermaid has one configuration at a time.
  drawing = drawing.then(() => draw(data));
});
postToPage({ kind: 'ready' });
