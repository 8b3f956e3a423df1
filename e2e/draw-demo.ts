/**
 * Draws the diagrams of the demo essays as a writer's browser does at submission, and stores them next to the texts:
 * `node scripts/build.ts && node e2e/draw-demo.ts`, after a change of a diagram or of web/src/diagram.
 */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../scripts/chromium.ts';
import { startServer } from './support/server.ts';

const texts = join(import.meta.dirname, '../server/src/modules/admin/demo/texts');

const FENCE = '```';

/** Demo texts have no nested fences. */
const sourcesOf = (markdown: string): string[] =>
  markdown
    .split(`\n${FENCE}mermaid\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`\n${FENCE}`)));

/** Runs in the page, with the frame of a writer. */
const draw = (page: Page, source: string): Promise<{ kind: string; light: string; dark: string }> =>
  page.evaluate(
    (source) =>
      new Promise((resolve) => {
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', 'allow-scripts');
        frame.width = '1024';
        frame.height = '768';
        addEventListener('message', ({ data }) => {
          if (data.kind === 'ready') frame.contentWindow?.postMessage({ id: 1, source }, '*');
          else resolve(data);
        });
        frame.src = '/diagram.html';
        document.body.append(frame);
      }),
    source,
  );

const server = await startServer('draw-demo');
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage();
for (const name of globSync('*.md', { cwd: texts }).sort()) {
  const sources = sourcesOf(readFileSync(join(texts, name), 'utf8'));
  const target = join(texts, name.replace(/md$/, 'drawings.json'));
  rmSync(target, { force: true });
  if (sources.length === 0) continue;
  const drawings = [];
  for (const source of sources) {
    await page.goto(`${server.url}/about.html`);
    const { kind, light, dark } = await draw(page, source);
    if (kind !== 'drawn') throw new Error(`${name}: a diagram cannot be drawn`);
    drawings.push({ source, light, dark });
  }
  writeFileSync(target, `${JSON.stringify(drawings, null, 2)}\n`);
}
await browser.close();
await server.stop();
