import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import { readUser, storeUser } from '@mozhan/client/session.ts';
import type { Client, Input, Output } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery, useCall } from '#web/lib/queries.ts';

const meKey = (api: Client) => callQuery(api, 'GET core/user/').queryKey;

/** The same call also searches users; without parameters it always returns the current user. */
const toCurrentUser = (data: Output<'GET core/user/'> | undefined): CurrentUser | undefined =>
  data !== undefined && 'account' in data ? data : undefined;

export const useMe = () => useCall('GET core/user/', {}, { select: toCurrentUser });

export function updateCachedMe(
  queryClient: QueryClient,
  api: Client,
  change: (me: CurrentUser) => CurrentUser,
): void {
  queryClient.setQueryData(meKey(api), (data: Output<'GET core/user/'> | undefined) => {
    const me = toCurrentUser(data);
    return me === undefined ? data : change(me);
  });
}

/** Stores the saved user, so that the header, other tabs and the public page update at once. */
function storeMe(queryClient: QueryClient, api: Client, user: CurrentUser): void {
  if (readUser()?.id !== user.id) return;
  queryClient.setQueryData(meKey(api), user);
  storeUser(user);
  void queryClient.invalidateQueries(queryFilterOf('GET core/user/public'));
}

export function useSaveMe(): (input: Input<'PUT core/user/'>) => Promise<CurrentUser> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async (input) => {
    const user = await api('PUT core/user/', input);
    storeMe(queryClient, api, user);
    return user;
  };
}
