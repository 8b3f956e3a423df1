import type { Folder } from '@mozhan/contract/collections.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import type { FolderRow } from '../tables.ts';

export const toFolder = ({ folder, user }: { folder: FolderRow; user: User }, now: Date): Folder => ({
  id: folder.id,
  name: folder.name,
  isPublic: folder.isPublic,
  isDefault: folder.isDefault,
  essayCount: folder.essayCount,
  user: toUserCard(user, now),
  createdAt: folder.createdAt.toISOString(),
});
