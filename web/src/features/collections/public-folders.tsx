import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { FolderLinks } from './folder-links.tsx';
import { foldersQuery } from './folder-query.ts';

interface PublicFoldersProps {
  userId: string;
  selected: string;
  hrefOf: (folderId: string) => string;
}

export function PublicFolders({ userId, ...links }: PublicFoldersProps) {
  const { data: folders = [] } = useQuery(foldersQuery(useApi(), userId));
  return folders.length === 0 ? null : <FolderLinks folders={folders} {...links} />;
}
