import { CallError } from '@mozhan/contract/errors.ts';
import type { TransferFormat } from '@mozhan/contract/transfer.ts';
import { type OpenArchive, openArchive } from '../archive.ts';
import type { FormatName } from '../formats/formats.ts';
import { findFormat } from '../formats/read-format.ts';
import type { TransferRow } from '../tables.ts';
import { importForeign } from './import-foreign.ts';
import { findRoot, importOwn } from './import-own.ts';
import { type ImportState, openImportState } from './import-state.ts';
import type { Run } from './run.ts';

async function recordRefusedFiles({ run, archive, before }: ImportState): Promise<void> {
  for (const [i, { name, reason }] of archive.refused.entries()) {
    const key = `refused:${i}`;
    if (before.has(key)) continue;
    await run.recordItem(run.ctx(), { key, kind: 'file', outcome: 'skipped', title: name, note: reason });
  }
}

export function openUpload(run: Run): Promise<OpenArchive> {
  const { filePath, fileName, fileBytes } = run.row;
  if (filePath === null) throw new CallError('INVALID', { message: '上传的文件已不在，请重新上传' });
  return openArchive(run.ctx().services.files, { path: filePath, name: fileName, bytes: fileBytes });
}

/** The folder of an export of this program, or the format of another one. */
export async function detectFormat(
  archive: OpenArchive,
  chosen: TransferFormat,
): Promise<{ root: string } | { format: FormatName }> {
  const root = chosen === 'auto' || chosen === 'mozhan' ? await findRoot(archive) : null;
  if (root !== null) return { root };
  const format = chosen === 'auto' ? await findFormat(archive) : chosen;
  if (format !== null && format !== 'mozhan') return { format };
  throw new CallError('INVALID', { message: '认不出这是什么格式，请选择后再试' });
}

/** Imports the upload and returns its detected format. */
export async function importArchive(run: Run): Promise<Partial<TransferRow>> {
  const archive = await openUpload(run);
  const state = await openImportState(run, archive);
  await recordRefusedFiles(state);
  const detected = await detectFormat(archive, run.row.format);
  if ('root' in detected) {
    await importOwn(state, detected.root);
    return { format: 'mozhan' };
  }
  await importForeign(state, detected.format);
  return { format: detected.format };
}
