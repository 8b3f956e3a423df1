import { CallError } from '@mozhan/contract/errors.ts';
import type { CheckCounts, CheckResult, Findings } from '@mozhan/contract/import-checks.ts';
import { listNames, type OpenArchive } from '../archive.ts';
import * as documents from '../documents.ts';
import { listExistingEssayIds } from '../queries/targets.ts';
import { openFolder } from './import-own.ts';
import type { Run } from './run.ts';

const BATCH_SIZE = 1000;
const ESSAY = /^essays\/[0-9a-f]{32}\.md$/;
const NONE: Findings = { total: 0, reasons: [], list: [] };

/** One record per line, between the brackets. */
async function countLines(run: Run, archive: OpenArchive, name: string): Promise<number> {
  if (!archive.has(name)) return 0;
  let count = 0;
  for await (const line of archive.readLines(name)) {
    run.throwIfStopped();
    if (line.startsWith('{')) count += 1;
  }
  return count;
}

/** Counts what an export of this program contains, by the names of its files; it needs no mapping. */
export async function analyseOwn(run: Run, upload: OpenArchive, root: string): Promise<CheckResult> {
  const archive = await openFolder(upload, root);
  const parsed = documents.manifest.safeParse(JSON.parse(await archive.readText('manifest.json')));
  if (!parsed.success) throw new CallError('INVALID', { message: 'manifest.json 的内容不对' });
  const count = async (pattern: RegExp): Promise<number> =>
    (await listNames(archive, (name) => pattern.test(name))).length;
  const ids = (await listNames(archive, (name) => ESSAY.test(name))).map((name) => name.slice(-35, -3));
  let existing = 0;
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    run.throwIfStopped();
    const batch = ids.slice(start, start + BATCH_SIZE);
    existing += (await listExistingEssayIds(run.ctx().db, batch)).length;
    run.advance(batch.length);
  }
  const counts: CheckCounts = {
    essays: await count(/^essays\/[^/]+\.md$/),
    pages: await count(/^pages\/[^/]+\.md$/),
    scheduled: 0,
    pinned: 0,
    pictures: await count(/^files\/./),
    remotePictures: 0,
    covers: 0,
    attachments: await count(/^attachments\/./),
    comments: await countLines(run, archive, 'comments.json'),
    authors: await countLines(run, archive, 'authors.json'),
    severalAuthors: 0,
    unsigned: 0,
    categories: await countLines(run, archive, 'categories.json'),
    tags: 0,
    redirects: await countLines(run, archive, 'redirects.json'),
    members: 0,
    paid: 0,
    existing,
    changed: 0,
  };
  return {
    program: 'mozhan',
    siteTitle: parsed.data.site.slice(0, 200).toWellFormed().replaceAll('\0', ''),
    siteUrl: '',
    counts,
    drafts: NONE,
    refused: NONE,
    notes: NONE,
    categories: [],
    authors: [],
    sections: [],
  };
}
