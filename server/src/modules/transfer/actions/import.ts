import { CallError } from '#contract/errors.ts';
import { openArchive } from '../archive.ts';
import { ghost } from '../formats/ghost.ts';
import { hexo } from '../formats/hexo.ts';
import type { Format } from '../formats/types.ts';
import { wordpress } from '../formats/wordpress.ts';
import type { TransferRow } from '../tables.ts';
import { importForeign } from './import-foreign.ts';
import { findRoot, importOwn } from './import-own.ts';
import type { Run } from './run.ts';
import { openWorld, type World } from './world.ts';

/** The first that knows the archive reads it. */
const formats: [name: 'ghost' | 'wordpress' | 'hexo', format: Format][] = [
  ['ghost', ghost],
  ['wordpress', wordpress],
  ['hexo', hexo],
];

const unknown = () => new CallError('INVALID', { message: '认不出这是什么格式，请选择后再试' });

/** Names that the archive should not have had. */
async function noteRefused({ run, archive, before }: World): Promise<void> {
  for (const [i, { name, why }] of archive.refused.entries()) {
    const key = `refused:${i}`;
    if (before.has(key)) continue;
    await run.note(run.ctx(), { key, kind: 'file', outcome: 'skipped', title: name, note: why });
  }
}

/** What was uploaded becomes part of the site; answers what it turned out to be. */
export async function importArchive(run: Run): Promise<Partial<TransferRow>> {
  const { row } = run;
  const { services } = run.ctx();
  if (row.filePath === null) throw new CallError('INVALID', { message: '上传的文件已不在，请重新上传' });
  const archive = await openArchive(services.files, {
    path: row.filePath,
    name: row.fileName,
    bytes: row.fileBytes,
  });
  const world = await openWorld(run, archive);
  await noteRefused(world);
  const root = row.format === 'auto' || row.format === 'mozhan' ? await findRoot(archive) : null;
  if (root !== null) {
    await importOwn(world, root);
    return { format: 'mozhan' };
  }
  for (const [name, format] of formats) {
    if (row.format === 'auto' ? !(await format.detect(archive)) : row.format !== name) continue;
    await importForeign(world, format);
    return { format: name };
  }
  throw unknown();
}
