import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import { z } from 'zod';
import { type ArchiveEntry, type ArchiveReader, hashStream } from './archive.ts';
import { BackupError } from './errors.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const MANIFEST_HASH = 'manifest.sha256';
export const JOBS_ENTRY = 'db/jobs.copy.gz';

const part = z.object({ entry: z.string(), rows: z.int(), bytes: z.int(), hash: z.string() });

const manifest = z.object({
  format: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  version: z.string(),
  postgres: z.string(),
  madeBy: z.enum(['manual', 'scheduled', 'command']),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** Ids of the keys that encrypt the secrets; a backup does not contain the keys. */
  keys: z.array(z.string()).default([]),
  tables: z.array(part.extend({ name: z.string(), columns: z.array(z.string()) })),
  jobs: part,
  sequences: z.array(z.object({ name: z.string(), value: z.int(), isCalled: z.boolean() })),
  files: z.object({ count: z.int(), bytes: z.int() }),
  /** Files that rows refer to but that did not exist. */
  missing: z.array(z.string()),
});
export type Manifest = z.output<typeof manifest>;
export type TablePart = Manifest['tables'][number];

export const hashText = (content: string): string => createHash('sha256').update(content).digest('hex');

export const isStoredFile = ({ name }: Pick<ArchiveEntry, 'name'>): boolean =>
  /^(files|private)\//.test(name);

/** The name of a stored file is the hash of its content. */
export const hashFromName = (name: string): string =>
  textBefore(name, '.')
    .replace(/^\w+\//, '')
    .replace('/', '');

const damagedError = (name: string): BackupError => new BackupError(`备份文件已损坏：${name} 与记录的不符`);

export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  const [found, hash] = [MANIFEST, MANIFEST_HASH].map((name) =>
    archive.entries.find((entry) => entry.name === name),
  );
  if (found === undefined || hash === undefined)
    throw new BackupError('备份文件不完整，可能没有写完或没有传完，或者不是墨栈的备份');
  const content = await text(archive.read(found));
  if (hashText(content) !== (await text(archive.read(hash))).slice(0, 64)) throw damagedError(MANIFEST);
  const { format }: { format: unknown } = JSON.parse(content);
  if (typeof format === 'number' && format > FORMAT)
    throw new BackupError('这份备份来自更新的墨栈，请先更新程序再恢复');
  return manifest.parse(JSON.parse(content));
}

export async function verifyArchive(
  archive: ArchiveReader,
  onProgress: (done: number, total: number) => void,
): Promise<Manifest> {
  const found = await readManifest(archive);
  const parts = new Map([...found.tables, found.jobs].map((part) => [part.entry, part]));
  const files = { count: 0, bytes: 0 };
  for (const entry of archive.entries) {
    onProgress(entry.offset, archive.bytes);
    if (entry.name === MANIFEST || entry.name === MANIFEST_HASH) continue;
    const expected = isStoredFile(entry) ? hashFromName(entry.name) : parts.get(entry.name)?.hash;
    if ((await hashStream(archive.read(entry))) !== expected) throw damagedError(entry.name);
    parts.delete(entry.name);
    if (!isStoredFile(entry)) continue;
    files.count += 1;
    files.bytes += entry.bytes;
  }
  const [lost] = parts.keys();
  if (lost !== undefined) throw damagedError(lost);
  if (files.count !== found.files.count || files.bytes !== found.files.bytes) throw damagedError('files');
  return found;
}
