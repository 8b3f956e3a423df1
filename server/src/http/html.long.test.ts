import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemCtx } from '../jobs.ts';
import { createDemo } from '../modules/admin/demo/index.ts';
import { startTestApp } from '../testing/app.ts';
import { pagesFromSource, renderPages } from '../testing/pages.ts';

const require = createRequire(import.meta.url);
const JAR = join(dirname(require.resolve('vnu-jar')), 'build/dist/vnu.jar');

interface Finding {
  url: string;
  message: string;
  extract: string;
}

async function errorsIn(files: string[]): Promise<Finding[]> {
  const run = promisify(execFile);
  const args = ['-jar', JAR, '--errors-only', '--exit-zero-always', '--format', 'json', ...files];
  const { stderr } = await run('java', args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stderr).messages;
}

test('the W3C validator finds no errors in any kind of page', async () => {
  const t = await startTestApp({ config: { paySandbox: true }, ...pagesFromSource });
  const folder = await mkdtemp(join(tmpdir(), 'mozhan-html-'));
  try {
    await createDemo(systemCtx(t.app.services));
    const pages = [...(await renderPages(t))];
    const files = pages.map((_, index) => join(folder, `${index}.html`));
    for (const [index, [, html]] of pages.entries()) await writeFile(join(folder, `${index}.html`), html);
    const wrong = join(folder, 'wrong.html');
    await writeFile(wrong, '<!doctype html><title>x</title><input type="search" role="combobox">');
    expect(await errorsIn([wrong])).not.toEqual([]);
    const found = (await errorsIn(files)).map(({ url, message, extract }) => ({
      page: pages[Number(/(\d+)\.html$/.exec(url)?.[1])]?.[0],
      message,
      extract,
    }));
    expect(found).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await t.close();
  }
});
