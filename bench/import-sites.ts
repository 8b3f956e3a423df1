/**
 * `node bench/import-sites.ts [--pages folder] archive…`: imports each archive (a ZIP, or a single export) of another
 * program into an installation of its own, through the real calls, and compares what the raw files contain with what
 * arrived and what the report says. All old addresses are requested. `--pages` stores five random pages of each site.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import { type Arrived, compareCounts, readArrived } from '@mozhan/server/testing/site-counts/arrived.ts';
import { countSource } from '@mozhan/server/testing/site-counts/count-source.ts';
import type { SourceCounts, SourceFiles } from '@mozhan/server/testing/site-counts/source.ts';
import { unzipSync } from 'fflate';
import type pg from 'pg';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';
import { signInAdmin } from './users.ts';

const { values, positionals } = parseArgs({
  options: { pages: { type: 'string' } },
  allowPositionals: true,
});

function unpack(name: string, content: Uint8Array): SourceFiles {
  if (!name.endsWith('.zip')) return { [name]: content };
  const files = unzipSync(content);
  return Object.fromEntries(Object.entries(files).filter(([each]) => !each.endsWith('/')));
}

async function importSite(url: string, name: string, content: Uint8Array): Promise<Transfer> {
  const token = await signInAdmin(url);
  const self = await fetch(`${url}/api/core/user/`, { headers: { token } });
  const { data } = (await self.json()) as { data: { id: string } };
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(`${url}/api/core/sys/transfer/${path}`, { ...init, headers: { token } });
    const body = (await response.json()) as { success: boolean; data: T; errorMessage?: string };
    if (!body.success) throw new Error(`${path}: ${body.errorMessage}`);
    return body.data;
  };
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(content)]), name);
  const { id } = await request<Transfer>(`import?authorId=${data.id}`, { method: 'POST', body: form });
  for (;;) {
    const { list } = await request<{ list: Transfer[] }>(`?id=${id}`);
    const [run] = list;
    if (run !== undefined && !['waiting', 'running'].includes(run.status)) return run;
    await setTimeout(500);
  }
}

const encodeLocation = (path: string): string => encodeURI(decodeURI(path));

/** Requests every redirect; those to public content must answer 301 to an address that answers 200. */
async function checkRedirects(url: string, arrived: Arrived, source: SourceCounts): Promise<string[]> {
  const wrong: string[] = [];
  const publicIds = new Set(
    arrived.essays.flatMap(({ id, status }) => (status === ESSAY_STATUS.onShelf ? [id] : [])),
  );
  for (const { path, essayId, target } of arrived.redirects) {
    const response = await fetch(`${url}${encodeURI(path)}`, { redirect: 'manual' });
    const location = response.headers.get('location') ?? '';
    if (response.status !== 301) wrong.push(`${path}: ${response.status}`);
    else if (target !== null && encodeLocation(location) !== encodeLocation(target))
      wrong.push(`${path}: ${location} instead of ${target}`);
    else if (essayId !== null && publicIds.has(essayId)) {
      const { status } = await fetch(new URL(location, url), { redirect: 'manual' });
      if (status !== 200) wrong.push(`${path} → ${location}: ${status}`);
    }
  }
  const hidden = new Set(source.hidden);
  if (hidden.size < source.essays.length)
    for (const path of source.urls) {
      const { status } = await fetch(`${url}${path}`, { redirect: 'manual' });
      if (status === 404) wrong.push(`${path}: 404, an address of the source`);
    }
  return wrong;
}

const SUSPICIOUS: readonly [string, RegExp][] = [
  ['unreadable characters', /\uFFFD|锟斤拷|ï»¿|Ã[\u0080-\u00BF]|â€/],
  ['template tags', /\{%|\{\{[<%]/],
  ['shortcodes', /\[\/?(?:caption|gallery|embed|audio|video|su_\w+|vc_\w+)\b/],
  ['comments of blocks', /(?:<|&lt;)!--\s*\/?wp:/],
  ['escaped tags', /&lt;(?:p|div|br|img|a|span|strong|em)\b/],
];

/** Looks for marks of the old program in the rendered texts; code may contain them. */
async function findSuspicious(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ title: string; html: string }>(
    'select t.title, t.html from essay_texts t join imported_sources s on s.essay_id = t.essay_id',
  );
  return SUSPICIOUS.flatMap(([what, pattern]) => {
    const found = rows.filter(({ html }) => pattern.test(html.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, '')));
    const titles = found.slice(0, 3).map(({ title }) => title);
    return found.length === 0 ? [] : [`${what} in ${found.length} essays: ${titles.join(' | ')}`];
  });
}

async function storePages(url: string, folder: string, arrived: Arrived): Promise<void> {
  await mkdir(folder, { recursive: true });
  const shown = arrived.essays.filter(({ status }) => status === ESSAY_STATUS.onShelf);
  const chosen = shown.toSorted(() => Math.random() - 0.5).slice(0, 5);
  for (const { id } of chosen) {
    const plain = id.replaceAll('-', '');
    const page = await fetch(`${url}/essay/detail/${plain}.html`);
    await writeFile(join(folder, `${plain}.html`), await page.text());
  }
}

/** Reasons in the report, most frequent first; names and numbers are left out. */
function listReasons(arrived: Arrived): string[] {
  const counts = new Map<string, number>();
  for (const { kind, outcome, note } of arrived.items)
    for (const part of note.split('；')) {
      if (part === '') continue;
      const reason = part.replace(/「[^」]*」/g, '「…」').replace(/(没有找到\S*|没有导入：) ?.*/, '$1 …');
      const key = `${kind} ${outcome}: ${reason}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([reason, count]) => `${count} × ${reason}`);
}

const missingFrom = (wanted: Iterable<string>, found: Iterable<string>): string[] => {
  const known = new Set(found);
  return [...wanted].filter((each) => !known.has(each)).slice(0, 5);
};

/** Titles of which fewer are hidden than in the source; two posts may have the same title. */
function listMorePublic(source: SourceCounts, arrived: Arrived): string[] {
  const counts = new Map<string, number>();
  for (const title of source.hidden) counts.set(title, (counts.get(title) ?? 0) + 1);
  const hidden = [
    ...arrived.essays.flatMap(({ title, status }) => (status === ESSAY_STATUS.onShelf ? [] : [title])),
    ...arrived.pages.flatMap(({ title, published }) => (published ? [] : [title])),
  ];
  for (const title of hidden) counts.set(title, (counts.get(title) ?? 0) - 1);
  return [...counts].flatMap(([title, count]) => (count > 0 ? [title] : []));
}

async function runSite(path: string): Promise<void> {
  const name = basename(path);
  const content = await readFile(path);
  const source = countSource(unpack(name, content));
  const dataDir = await temporaryFolder();
  const server = await startMozhan(dataDir, { DEMO: 'off' });
  const client = await openClient(dataDir);
  try {
    const run = await importSite(server.url, name, content);
    console.log(`\n## ${name}: ${run.format}, ${run.status} ${run.message}\n`);
    if (run.format !== source.program) console.log(`counted as ${source.program}`);
    const arrived = await readArrived((text, given) => client.query(text, given), run.id);
    console.log('| | source | arrived | reported | difference |\n|---|---|---|---|---|');
    for (const line of compareCounts(source, arrived)) {
      const difference = line.source - line.arrived - line.reported;
      console.log(
        `| ${line.what} | ${line.source} | ${line.arrived} | ${line.reported} | ${difference || ''} |`,
      );
    }
    const titles = arrived.items.map(({ title }) => title);
    const lists = {
      reasons: listReasons(arrived),
      'titles that did not arrive': missingFrom([...source.essays, ...source.pages], titles),
      'pictures on other hosts that were not recorded': missingFrom(
        source.remotePictures,
        arrived.remotePictures,
      ),
      'pictures that were recorded and not counted': missingFrom(
        arrived.remotePictures,
        source.remotePictures,
      ),
      'more often public than in the source': listMorePublic(source, arrived),
      'wrong redirects': await checkRedirects(server.url, arrived, source),
      suspicious: await findSuspicious(client),
    };
    for (const [title, list] of Object.entries(lists))
      if (list.length > 0)
        console.log(
          `\n${title}:\n${list
            .slice(0, 30)
            .map((each) => `- ${each}`)
            .join('\n')}`,
        );
    if (values.pages !== undefined)
      await storePages(server.url, join(values.pages, basename(path, '.zip')), arrived);
  } finally {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

for (const path of positionals) await runSite(path);
