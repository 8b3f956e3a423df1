/**
 * `node bench/essays.ts folder`: measures lists, drafts and pages of an installation filled by `bench/generate.ts`, as
 * ratios to a bare Node server that sends the same bytes.
 */

import { setTimeout } from 'node:timers/promises';
import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { compare, measureTimes, quantile, report } from './measure.ts';
import { openClient, startMozhan, startUncached } from './servers.ts';
import { signInAdmin } from './users.ts';

/** Reduced when the site has fewer essays. */
const DEPTH = 100_000;

const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('node bench/essays.ts folder');
const ours = await startMozhan(dataDir);

async function answer<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(`${ours.url}/api/core/${path}`, init);
  const body = (await response.json()) as { success: boolean; data: T; errorMessage?: string };
  if (!body.success) throw new Error(`${path}: ${body.errorMessage}`);
  return body.data;
}

async function query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  const client = await openClient(dataDir ?? '');
  const { rows } = await client.query<T>(text, values);
  await client.end();
  return rows;
}

async function cursorAt(depth: number): Promise<string> {
  const [row] = await query<{ at: Date; id: string }>(
    `select published_at as at, id from essays where status = ${ESSAY_STATUS.onShelf} order by published_at desc, id desc offset $1 limit 1`,
    [depth],
  );
  const key = [row?.at.toISOString(), row?.id.replaceAll('-', '')];
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** Number of essay rows that PostgreSQL has read so far, with or without an index. */
async function rowsRead(): Promise<number> {
  // Idle connections report statistics after ten seconds.
  await setTimeout(11_000);
  const [row] = await query<{ count: string }>(
    `select sum(idx_tup_read) + (select seq_tup_read from pg_stat_user_tables where relname = 'essays') as count
     from pg_stat_user_indexes where relname = 'essays'`,
  );
  return Number(row?.count);
}

try {
  const { list, total } = await answer<{ list: { id: string }[]; total: number }>('essay/?pageSize=100');
  const depth = Math.min(DEPTH, Math.floor(total * 0.9));
  const id = list[0]?.id;
  const headers = { 'accept-encoding': 'br' };
  const first = { path: '/api/core/essay/', headers: {}, connections: 20 };
  const deep = { ...first, path: `/api/core/essay/?cursor=${await cursorAt(depth)}` };
  const lists = [first.path, deep.path, `${first.path}?category=tech`, `${first.path}?feed=hot`];
  const before = await rowsRead();
  await measureTimes(100, (at) =>
    fetch(ours.url + lists[at % lists.length]).then((response) => response.text()),
  );
  const read = ((await rowsRead()) - before) / 100;
  const paths = list.map((essay) => `/essay/detail/${essay.id}.html`);
  const page = { path: `/essay/detail/${id}.html`, headers, connections: 50 };
  const firstPage = await compare('list, first page', ours, first, 0.15);
  const deepPage = await compare(`list, by cursor at ${depth}`, ours, deep, 0);
  const results = [
    firstPage,
    deepPage,
    await compare(
      'hot list of a category',
      ours,
      { ...first, path: '/api/core/essay/?category=tech&feed=hot' },
      0,
    ),
    await compare('essay page, cached', ours, page, 0.5),
  ];

  const token = await signInAdmin(ours.url);
  const write = (method: string, body: object) =>
    answer<{ id: string; version: number }>('essay/', {
      method,
      headers: { token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  let draft = await write('POST', { title: '草稿' });
  const saves = await measureTimes(300, async (at) => {
    draft = await write('PUT', {
      ...draft,
      content: `第 ${at} 次保存。${'写字。'.repeat(1000)}`,
      auto: FLAG.on,
    });
  });
  await fetch(`${ours.url}/api/core/essay/${draft.id}`, { method: 'DELETE', headers: { token } });
  await ours.stop();

  const uncached = await startUncached(dataDir);
  results.push(await compare('essay page, rendered anew', uncached, { ...page, paths, connections: 8 }, 0));
  await uncached.stop();
  report(results);
  const deepCost = firstPage.ratio / deepPage.ratio;
  if (deepCost > 1.5 || read >= 12) process.exitCode = 1;
  console.log(
    `\na page at ${depth} costs ${deepCost.toFixed(2)} × the first (goal: 1.5)`,
    `\nrows of essays read for a list of ten and its total: ${read} (goal: below 12)`,
    `\nsaving a draft: p50 ${quantile(saves, 0.5).toFixed(1)} ms, p95 ${quantile(saves, 0.95).toFixed(1)} ms (goal: 20)`,
  );
} finally {
  await ours.stop();
}
process.exit();
