import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { before } from '@mozhan/contract/scan.ts';
import { z } from 'zod';
import { type ArchiveReader, type Entry, hashOf } from './archive.ts';
import { BackupError } from './errors.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.sha256';
export const JOBS = 'db/jobs.copy.gz';

const part = z.object({ entry: z.string(), rows: z.int(), bytes: z.int(), hash: z.string() });

const manifest = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  /** Of the program. */
  version: z.string(),
  postgres: z.string(),
  madeBy: z.enum(['manual', 'scheduled', 'command']),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** Ids of the keys that secrets in it are encrypted with; it does not hold the keys. */
  keys: z.array(z.string()).default([]),
  tables: z.array(part.extend({ name: z.string(), columns: z.array(z.string()) })),
  /** What was still to be done: mails, deliveries and the like. */
  jobs: part,
  sequences: z.array(z.object({ name: z.string(), value: z.int(), isCalled: z.boolean() })),
  files: z.object({ count: z.int(), bytes: z.int() }),
  /** Files that rows speak of and that were not there. */
  missing: z.array(z.string()),
});
export type Manifest = z.output<typeof manifest>;
export type TablePart = Manifest['tables'][number];

export const hashOfText = (content: string): string => createHash('sha256').update(content).digest('hex');

export const isFile = ({ name }: Pick<Entry, 'name'>): boolean => /^(files|private)\//.test(name);

/** Files are named by their content. */
export const hashInName = (name: string): string =>
  before(name, '.')
    .replace(/^\w+\//, '')
    .replace('/', '');

const damaged = (name: string): BackupError => new BackupError(`备份文件已损坏：${name} 与记录的不符`);

export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  const [found, hash] = [MANIFEST, MANIFEST_HASH].map((name) =>
    archive.entries.find((entry) => entry.name === name),
  );
  if (found === undefined || hash === undefined)
    throw new BackupError('备份文件不完整，可能没有写完或没有传完，或者不是墨栈的备份');
  const content = await text(archive.read(found));
  if (hashOfText(content) !== (await text(archive.read(hash))).slice(0, 64)) throw damaged(MANIFEST);
  const { format }: { format: unknown } = JSON.parse(content);
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError('这份备份来自更新的墨栈，请先更新程序再恢复');
  return manifest.parse(JSON.parse(content));
}

/** Reads all of it once: every part must be there, and be what was written. */
export async function verifyArchive(
  archive: ArchiveReader,
  progress: (done: number, total: number) => void,
): Promise<Manifest> {
  const found = await readManifest(archive);
  const parts = new Map([...found.tables, found.jobs].map((part) => [part.entry, part]));
  const files = { count: 0, bytes: 0 };
  for (const entry of archive.entries) {
    progress(entry.at, archive.bytes);
    if (entry.name === MANIFEST || entry.name === MANIFEST_HASH) continue;
    const expected = isFile(entry) ? hashInName(entry.name) : parts.get(entry.name)?.hash;
    if ((await hashOf(archive.read(entry))) !== expected) throw damaged(entry.name);
    parts.delete(entry.name);
    if (!isFile(entry)) continue;
    files.count += 1;
    files.bytes += entry.bytes;
  }
  const [lost] = parts.keys();
  if (lost !== undefined) throw damaged(lost);
  if (files.count !== found.files.count || files.bytes !== found.files.bytes) throw damaged('files');
  return found;
}
