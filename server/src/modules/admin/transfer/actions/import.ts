import { CallError } from '@mozhan/contract/errors.ts';
import { openArchive } from '../archive.ts';
import { type FormatName, formats } from '../formats/formats.ts';
import type { TransferRow } from '../tables.ts';
import { importForeign } from './import-foreign.ts';
import { findRoot, importOwn } from './import-own.ts';
import { type ImportState, openImportState } from './import-state.ts';
import type { Run } from './run.ts';

const unknownFormatError = () => new CallError('INVALID', { message: '认不出这是什么格式，请选择后再试' });

async function recordRefusedFiles({ run, archive, before }: ImportState): Promise<void> {
  for (const [i, { name, reason }] of archive.refused.entries()) {
    const key = `refused:${i}`;
    if (before.has(key)) continue;
    await run.recordItem(run.ctx(), { key, kind: 'file', outcome: 'skipped', title: name, note: reason });
  }
}

/** Imports the upload and returns its detected format. */
export async function importArchive(run: Run): Promise<Partial<TransferRow>> {
  const { row } = run;
  const { services } = run.ctx();
  if (row.filePath === null) throw new CallError('INVALID', { message: '上传的文件已不在，请重新上传' });
  const archive = await openArchive(services.files, {
    path: row.filePath,
    name: row.fileName,
    bytes: row.fileBytes,
  });
  const state = await openImportState(run, archive);
  await recordRefusedFiles(state);
  const root = row.format === 'auto' || row.format === 'mozhan' ? await findRoot(archive) : null;
  if (root !== null) {
    await importOwn(state, root);
    return { format: 'mozhan' };
  }
  for (const name of Object.keys(formats) as FormatName[]) {
    if (row.format === 'auto' ? !(await formats[name].detect(archive)) : row.format !== name) continue;
    await importForeign(state, name);
    return { format: name };
  }
  throw unknownFormatError();
}
