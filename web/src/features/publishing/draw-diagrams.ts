import { drawInFrame } from '@mozhan/client/diagram-frame.ts';
import { asCallError } from '@mozhan/client/errors.ts';
import type { Client, Input } from '@mozhan/contract/client.ts';
import { MAX_DRAWING_LENGTH, MAX_DRAWINGS, MAX_DRAWINGS_BYTES } from '@mozhan/contract/drawing-limits.ts';

type StatusChange = Input<'PUT core/essay/status'>;
type Drawings = NonNullable<StatusChange['drawings']>;

const bytesOf = (value: unknown): number => new Blob([JSON.stringify(value)]).size;

/** The sources as the server finds them in the text, each once. */
async function listSources(api: Client, content: string): Promise<string[]> {
  const { html } = await api('POST core/essay/preview', { content });
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...new Set([...page.querySelectorAll('[data-diagram] > pre')].map((pre) => pre.textContent))];
}

/** Draws the diagrams in both themes. What cannot be drawn or is too large is left to the readers' browsers. */
async function drawDiagrams(api: Client, basePath: string, content: string): Promise<Drawings> {
  const drawings: Drawings = [];
  let bytes = 0;
  for (const source of (await listSources(api, content)).slice(0, MAX_DRAWINGS)) {
    const drawn = await drawInFrame(source, basePath).catch(() => null);
    if (drawn === null || Math.max(drawn.light.length, drawn.dark.length) > MAX_DRAWING_LENGTH) continue;
    const drawing = { source, light: drawn.light, dark: drawn.dark };
    bytes += bytesOf(drawing) + 1;
    if (bytes > MAX_DRAWINGS_BYTES) break;
    drawings.push(drawing);
  }
  return drawings;
}

interface Submission {
  api: Client;
  basePath: string;
  content: string;
  change: StatusChange;
}

/** Submits an essay with the drawings of its diagrams, or without them if the server refuses them. */
export async function submitWithDrawings({ api, basePath, content, change }: Submission): Promise<void> {
  const drawings = /mermaid/i.test(content) ? await drawDiagrams(api, basePath, content).catch(() => []) : [];
  try {
    await api('PUT core/essay/status', { ...change, drawings });
  } catch (error) {
    if (drawings.length === 0 || asCallError(error)?.fields?.drawings === undefined) throw error;
    await api('PUT core/essay/status', { ...change, drawings: [] });
  }
}
