import { queriesOf } from '@mozhan/client/query-filter.ts';
import { readUser, storeUser } from '@mozhan/client/session.ts';
import type { Client, Input, Output } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { call, useCall } from '#web/lib/queries.ts';

const meKey = (api: Client) => call(api, 'GET core/user/').queryKey;

/** The same call also lists people; asked without parameters it never does. */
const asMe = (data: Output<'GET core/user/'> | undefined): CurrentUser | undefined =>
  data !== undefined && 'account' in data ? data : undefined;

/** Everything about the signed-in reader. */
export const useMe = () => useCall('GET core/user/', {}, { select: asMe });

/** What is known of the reader here, changed before or after the server has it. */
export function changeMe(
  queryClient: QueryClient,
  api: Client,
  change: (me: CurrentUser) => CurrentUser,
): void {
  queryClient.setQueryData(meKey(api), (data: Output<'GET core/user/'> | undefined) => {
    const me = asMe(data);
    return me === undefined ? data : change(me);
  });
}

/** The answer to a change: the header, the other tabs and the public page follow at once. */
function keepMe(queryClient: QueryClient, api: Client, user: CurrentUser): void {
  if (readUser()?.id !== user.id) return;
  queryClient.setQueryData(meKey(api), user);
  storeUser(user);
  void queryClient.invalidateQueries(queriesOf('GET core/user/public'));
}

/** Saves parts of the reader's own profile. */
export function useSaveMe(): (input: Input<'PUT core/user/'>) => Promise<CurrentUser> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async (input) => {
    const user = await api('PUT core/user/', input);
    keepMe(queryClient, api, user);
    return user;
  };
}
