import type { Client } from '@mozhan/contract/client.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';

/** Without `userId`: all folders of the signed-in user. */
export const foldersQuery = (api: Client, userId?: string) =>
  callQuery(api, 'GET core/user/folder', userId === undefined ? {} : { userId });

/** Throws NotFoundError for a folder that does not exist or is private. */
export async function loadFolders(
  { api, queryClient }: LoadContext,
  { id, tab, folder }: { id: string; tab: string; folder: string },
): Promise<void> {
  if (tab !== 'collect') return;
  const folders = await queryClient.ensureQueryData(foldersQuery(api, id));
  if (folder !== '' && !folders.some((each) => each.id === folder)) throw new NotFoundError();
}

export function useFolder(userId: string, folderId: string): Folder | undefined {
  const { data } = useQuery({ ...foldersQuery(useApi(), userId), enabled: folderId !== '' });
  return data?.find(({ id }) => id === folderId);
}
