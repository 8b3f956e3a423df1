import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { EssayRow, FolderRow } from '../tables.ts';
import { noEssay } from './essays.ts';

export const DEFAULT_NAME = '默认收藏夹';
export const MOST_FOLDERS = 100;
export const MOST_COLLECTED = 10_000;

/** The one that was asked for, or the default one. */
export function pickFolder(
  folders: readonly FolderRow[],
  id: string | undefined,
  field: 'folderId' | 'moveTo' = 'folderId',
): FolderRow {
  const found = folders.find((folder) => (id === undefined ? folder.isDefault : folder.id === id));
  if (found === undefined) throw invalid(field, '没有找到这个收藏夹');
  return found;
}

/** One of one's own, named in the address. */
export function requireFolder(folders: readonly FolderRow[], id: string): FolderRow {
  const found = folders.find((folder) => folder.id === id);
  if (found === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个收藏夹' });
  return found;
}

/** Two of one person never have the same name. */
export function requireFree(folders: readonly FolderRow[], name: string, id?: string): void {
  if (folders.some((folder) => folder.name === name && folder.id !== id)) throw new CallError('FOLDER_TAKEN');
}

export function requireShelved(essay: EssayRow | undefined): EssayRow {
  if (essay === undefined) throw noEssay();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf) throw noEssay();
  return essay;
}

export const countAll = (folders: readonly FolderRow[]): number =>
  folders.reduce((sum, folder) => sum + folder.essayCount, 0);
