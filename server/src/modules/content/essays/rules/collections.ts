import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { EssayRow, FolderRow } from '../tables.ts';
import { essayNotFound } from './essays.ts';

export const DEFAULT_FOLDER_NAME = '默认收藏夹';
export const MAX_FOLDERS = 100;
export const MAX_COLLECTED = 10_000;

export function getFolderOrDefault(
  folders: readonly FolderRow[],
  id: string | undefined,
  field: 'folderId' | 'moveTo' = 'folderId',
): FolderRow {
  const found = folders.find((folder) => (id === undefined ? folder.isDefault : folder.id === id));
  if (found === undefined) throw invalidField(field, '没有找到这个收藏夹');
  return found;
}

export function requireFolder(folders: readonly FolderRow[], id: string): FolderRow {
  const found = folders.find((folder) => folder.id === id);
  if (found === undefined) throw new CallError('NOT_FOUND', { message: '没有找到这个收藏夹' });
  return found;
}

/** Folder names are unique per user. */
export function requireUniqueName(folders: readonly FolderRow[], name: string, id?: string): void {
  if (folders.some((folder) => folder.name === name && folder.id !== id)) throw new CallError('FOLDER_TAKEN');
}

export function requireShelved(essay: EssayRow | undefined): EssayRow {
  if (essay === undefined) throw essayNotFound();
  if (essay.deletedAt !== null) throw new CallError('GONE', { message: '这篇文章已被删除' });
  if (essay.status !== ESSAY_STATUS.onShelf) throw essayNotFound();
  return essay;
}

export const countCollected = (folders: readonly FolderRow[]): number =>
  folders.reduce((sum, folder) => sum + folder.essayCount, 0);
