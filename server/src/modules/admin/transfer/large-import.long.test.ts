import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { waitForTransfer } from '../../../testing/transfer.ts';
import { queueRun } from './actions/run-transfer.ts';
import { transferRows } from './queries/runs.ts';
import { writeZip, type ZipFile } from './zip/write.ts';

const POSTS = 5000;
const PICTURES_PER_POST = 4;
/** Far less than the archive's texts and pictures, and more than the garbage collector leaves. */
const MAX_GROWTH_MB = 150;

let t: TestApp;
let admin: string;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
});
afterAll(() => t.close());

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A PNG of 16 × 16 pixels in a colour of its own. */
function createPicture(n: number): Buffer {
  const size = 16;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 2], 8);
  const row = Buffer.alloc(1 + size * 3);
  for (let x = 0; x < size; x += 1) row.set([n & 255, (n >> 8) & 255, (x * 16) & 255], 1 + x * 3);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: size }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const sentence = '这是一篇从别处搬来的文章，里面有几张图片，也有指向别的文章的链接。';

function createPost(n: number): Buffer {
  const pictures = Array.from({ length: PICTURES_PER_POST }, (_, i) => `![图](/p/${n}-${i}.png)`);
  const next = (n + 1) % POSTS;
  return Buffer.from(
    `---\ntitle: 第 ${n} 篇\ndate: 2015-01-01 00:00:00\ntags: [标签${n % 50}]\n---\n\n${sentence.repeat(10)}\n\n${pictures.join('\n\n')}\n\n见[下一篇](/large-${next}/)。\n`,
  );
}

async function* listFiles(): AsyncGenerator<ZipFile> {
  const modified = new Date('2020-01-01');
  yield {
    name: '_config.yml',
    modified,
    content: Buffer.from('url: https://large.test\npermalink: :title/\n'),
  };
  for (let n = 0; n < POSTS; n += 1) {
    yield { name: `source/_posts/large-${n}.md`, modified, content: createPost(n) };
    for (let i = 0; i < PICTURES_PER_POST; i += 1)
      yield {
        name: `source/p/${n}-${i}.png`,
        modified,
        content: createPicture(n * PICTURES_PER_POST + i),
        isCompressed: true,
      };
  }
}

async function startImport(): Promise<string> {
  const ctx = systemCtx(t.app.services);
  const { user } = await createWriter(t);
  const { files, clock } = t.app.services;
  const file = await files.receive('large.zip', Readable.from(writeZip(listFiles()), { objectMode: false }));
  const id = newId();
  await transferRows.insert(ctx.db, {
    id,
    kind: 'import',
    scope: 'site',
    format: 'auto',
    status: 'waiting',
    authorId: user.id,
    filePath: await files.storePrivate(file),
    fileName: 'large.zip',
    fileBytes: file.bytes,
    createdAt: clock(),
  });
  await queueRun(ctx, id);
  return id;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Report {
  workers: { javascriptHeap: { totalCommittedMemory: number } }[];
}

/** Without the heaps of threads, which have limits of their own and end when they are idle. */
function measureMemory(): { heap: number; rss: number } {
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  const { workers } = process.report.getReport() as unknown as Report;
  const ofThreads = workers.reduce((sum, each) => sum + each.javascriptHeap.totalCommittedMemory, 0);
  const toMb = (bytes: number) => Math.round(bytes / 1024 / 1024);
  return { heap: toMb(heapUsed + external), rss: toMb(rss - ofThreads) };
}

const count = async (sql: string): Promise<number> =>
  (await t.app.services.pool.query<{ count: number }>(`select count(*)::int from ${sql}`)).rows[0]?.count ??
  0;

test('imports 5,000 posts with 20,000 pictures while the memory of the process stays the same', {
  timeout: 60 * 60_000,
}, async () => {
  const started = performance.now();
  const id = await startImport();
  const readDone = async () => await count(`transfer_items where transfer_id = '${id}' and kind = 'essay'`);
  while ((await readDone()) < POSTS / 5) await sleep(500);
  const early = measureMemory();
  const run = await waitForTransfer(t, admin, id, (each) => each.fileBytes === null);
  const late = measureMemory();
  const minutes = (performance.now() - started) / 60_000;
  console.info('memory in MB at a fifth and at the end', early, late, `${minutes.toFixed(1)} minutes`);
  expect(run).toMatchObject({ status: 'done', message: '', total: POSTS, done: POSTS });
  expect(run.report).toEqual(
    expect.arrayContaining([
      { kind: 'essay', outcome: 'created', count: POSTS },
      { kind: 'file', outcome: 'created', count: POSTS * PICTURES_PER_POST },
      { kind: 'redirect', outcome: 'created', count: 1 },
    ]),
  );
  expect(await count('essays where status = 3')).toBe(POSTS);
  expect(await count('uploads')).toBe(POSTS * PICTURES_PER_POST);
  expect(await count(`redirects where transfer_id = '${id}' and essay_id is not null`)).toBe(POSTS);
  expect(await count("essay_revisions where content ~ '\\]\\(/files/.*\\]\\(/essay/detail/large-'")).toBe(
    POSTS,
  );
  expect(late.heap - early.heap).toBeLessThan(MAX_GROWTH_MB);
  expect(late.rss - early.rss).toBeLessThan(MAX_GROWTH_MB);
});
