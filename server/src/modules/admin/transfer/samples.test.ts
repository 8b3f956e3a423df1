/** The samples of each program: what their files contain, what arrives, and what the report says. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter } from '../../../testing/essays.ts';
import { createPng } from '../../../testing/pictures.ts';
import { compareCounts, readArrived } from '../../../testing/site-counts/arrived.ts';
import { countSource } from '../../../testing/site-counts/count-source.ts';
import { importFile } from '../../../testing/transfer.ts';

const SAMPLES = join(import.meta.dirname, 'formats/samples');

let t: TestApp;
let admin: string;
let picture: Buffer;
beforeAll(async () => {
  t = await startTestApp({ runsJobs: true });
  admin = await t.signInAdmin();
  picture = await createPng();
});
afterAll(() => t.close());

function readSample(name: string): Record<string, Uint8Array> {
  const path = join(SAMPLES, name);
  if (name.includes('.')) return { [name]: readFileSync(path) };
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    entries.map((entry) => {
      const full = join(entry.parentPath, entry.name);
      return [full.slice(path.length + 1), readFileSync(full)];
    }),
  );
}

/** Columns: source, arrived, reported; a difference has its reason beside it. */
type Table = Record<string, [number, number, number]>;

const samples: { name: string; pictures: string[]; table: Table }[] = [
  {
    name: 'hexo',
    pictures: ['source/_posts/connection-pool/curve.png', 'source/images/pool.png'],
    table: {
      essays: [4, 4, 0],
      pages: [1, 1, 0],
      // A post with damaged front matter becomes a draft.
      'not public': [1, 2, 0],
      'pictures in the archive': [3, 2, 1],
      'pictures on other hosts': [0, 0, 0],
      covers: [1, 1, 0],
      comments: [0, 0, 0],
      // Posts without an author belong to the one chosen for the import.
      authors: [1, 2, 0],
      'tags and categories': [4, 4, 0],
      // Addresses follow from names and dates.
      redirects: [0, 5, 0],
    },
  },
  {
    name: 'hugo',
    pictures: ['content/posts/two-clocks/clock.png', 'static/images/header.png'],
    table: {
      // The page of the section is reported; it is no essay.
      essays: [2, 2, 1],
      pages: [0, 0, 0],
      // The draft has front matter in JSON, which the count of the source does not read.
      'not public': [0, 1, 0],
      'pictures in the archive': [2, 2, 0],
      'pictures on other hosts': [0, 0, 0],
      covers: [1, 1, 0],
      comments: [0, 0, 0],
      authors: [0, 1, 0],
      // One category exists here.
      'tags and categories': [3, 2, 0],
      redirects: [0, 4, 0],
    },
  },
  {
    name: 'ghost.json',
    pictures: ['content/images/2024/05/graph.png', 'content/images/2024/05/cover.png'],
    table: {
      // One entry has no id and no text.
      essays: [4, 3, 1],
      pages: [1, 1, 0],
      'not public': [3, 2, 0],
      // The cover is not part of a text.
      'pictures in the archive': [1, 2, 0],
      'pictures on other hosts': [0, 0, 0],
      covers: [1, 1, 0],
      comments: [0, 0, 0],
      authors: [1, 2, 0],
      // The internal tag is left out.
      'tags and categories': [3, 2, 0],
      redirects: [5, 4, 0],
    },
  },
  {
    name: 'wordpress.xml',
    pictures: ['wp-content/uploads/2024/05/desk.jpg'],
    table: {
      // The post in the trash is reported.
      essays: [2, 2, 1],
      pages: [1, 1, 0],
      'not public': [1, 1, 0],
      // Two sizes of one picture, which the archive contains.
      'pictures in the archive': [0, 1, 0],
      'pictures on other hosts': [2, 0, 0],
      covers: [1, 1, 0],
      comments: [1, 1, 0],
      authors: [1, 1, 0],
      // One category exists here, another means that there is none.
      'tags and categories': [4, 2, 0],
      // Addresses by number and of feeds are added.
      redirects: [1, 9, 0],
    },
  },
];

test.each(samples)('$name: the counts of the source arrive or are reported', async (sample) => {
  const files = readSample(sample.name);
  const { user } = await createWriter(t);
  const content = zipSync({
    ...files,
    ...Object.fromEntries(sample.pictures.map((name) => [name, picture])),
  });
  const run = await importFile(t, admin, { name: 'site.zip', content }, `?authorId=${user.id}`);
  const { pool } = t.app.services;
  const arrived = await readArrived((text, values) => pool.query(text, values), run.id);
  const lines = compareCounts(countSource(files), arrived);
  expect(
    Object.fromEntries(lines.map((line) => [line.what, [line.source, line.arrived, line.reported]])),
  ).toEqual(sample.table);
});
