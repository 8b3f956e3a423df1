import type { ConvertedHtml, HtmlOptions } from './html-to-markdown.ts';

export type ConvertRequest = { html: string } & Required<Omit<HtmlOptions, 'createToken'>>;
export type ConvertResponse = ConvertedHtml | { failed: string };

/** More would take seconds and gigabytes; an essay has at most 200,000 characters. */
export const MAX_HTML_LENGTH = 30 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

/** Converts in a worker, so that the page stays responsive however large the HTML is. */
export function convertHtml(request: ConvertRequest): Promise<ConvertedHtml> {
  const worker = new Worker(new URL('./convert-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ConvertedHtml>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), TIMEOUT_MS);
    worker.addEventListener('message', ({ data }: MessageEvent<ConvertResponse>) => {
      clearTimeout(timer);
      if ('failed' in data) reject(new Error(data.failed));
      else resolve(data);
    });
    worker.addEventListener('error', () => {
      clearTimeout(timer);
      reject(new Error('worker'));
    });
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
