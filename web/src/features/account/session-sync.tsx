import { readUser, storeUser } from '@mozhan/client/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidateAfterReconnect, invalidateOrderQueries } from '#web/features/paying/order-queries.ts';
import { useApp } from '#web/lib/app-context.ts';
import { combineCleanups, connectLive, onConnect, onLiveEvent } from '#web/lib/live.ts';
import { callQuery, useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useView } from '#web/router/router.tsx';

/** Keeps the stored user in sync with the server and holds the live connection. Renders nothing. */
export function SessionSync() {
  const { api, basePath } = useApp();
  const queryClient = useQueryClient();
  const userId = useCurrentUser()?.id;
  const onLoginPage = useView().url.startsWith('/login.html');
  const active = userId !== undefined && !onLoginPage;

  const { data } = useCall('GET core/user/', {}, { enabled: active });
  useEffect(() => {
    // Ignore the response if the reader has signed out or switched accounts meanwhile.
    if (data !== undefined && 'account' in data && data.id === readUser()?.id) storeUser(data);
  }, [data]);

  useEffect(() => {
    if (userId === undefined || onLoginPage) return;
    return connectLive(basePath);
  }, [userId, onLoginPage, basePath]);

  useEffect(() => {
    const { queryKey } = callQuery(api, 'GET core/user/notice/unread');
    return combineCleanups([
      onLiveEvent('unread', (counts) => queryClient.setQueryData(queryKey, counts)),
      onLiveEvent('order', () => void invalidateOrderQueries(queryClient)),
      onLiveEvent('account', () => void invalidateOrderQueries(queryClient)),
      onConnect(() => void invalidateAfterReconnect(queryClient)),
    ]);
  }, [api, queryClient]);

  return null;
}
