import type { Client } from '@mozhan/contract/client.ts';
import type { Folder } from '@mozhan/contract/collections.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';

/** `userId` left out: all of one's own. */
export const foldersQuery = (api: Client, userId?: string) =>
  call(api, 'GET core/user/folder', userId === undefined ? {} : { userId });

/** Rejects with 404 for a folder that is not there, or not for everyone. */
export async function loadFolders(
  { api, queryClient }: LoadContext,
  { id, tab, folder }: { id: string; tab: string; folder: string },
): Promise<void> {
  if (tab !== 'collect') return;
  const folders = await queryClient.ensureQueryData(foldersQuery(api, id));
  if (folder !== '' && !folders.some((each) => each.id === folder)) throw new NotFound();
}

/** One of somebody's folders, as far as it may be seen. */
export function useFolder(userId: string, folderId: string): Folder | undefined {
  const { data } = useQuery({ ...foldersQuery(useApi(), userId), enabled: folderId !== '' });
  return data?.find(({ id }) => id === folderId);
}
