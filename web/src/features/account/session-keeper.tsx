import { readUser, storeUser } from '@mozhan/client/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orderChanged, refreshUnpaid } from '#web/features/paying/orders.ts';
import { useApp } from '#web/lib/app-context.ts';
import { connectLive, onConnected, onLive, together } from '#web/lib/live.ts';
import { call, useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useView } from '#web/router/router.tsx';

/** Keeps the stored user true to the server, and what the server tells live. Shows nothing. */
export function SessionKeeper() {
  const { api, basePath } = useApp();
  const queryClient = useQueryClient();
  const userId = useCurrentUser()?.id;
  const onLoginPage = useView().url.startsWith('/login.html');
  const active = userId !== undefined && !onLoginPage;

  const { data } = useCall('GET core/user/', {}, { enabled: active });
  useEffect(() => {
    // Whoever signed out or changed the account while the answer was under way is left alone.
    if (data !== undefined && 'account' in data && data.id === readUser()?.id) storeUser(data);
  }, [data]);

  useEffect(() => {
    if (userId === undefined || onLoginPage) return;
    return connectLive(basePath);
  }, [userId, onLoginPage, basePath]);

  useEffect(() => {
    const { queryKey } = call(api, 'GET core/user/notice/unread');
    return together([
      onLive('unread', (counts) => queryClient.setQueryData(queryKey, counts)),
      onLive('order', () => void orderChanged(queryClient)),
      onLive('account', () => void orderChanged(queryClient)),
      onConnected(() => void refreshUnpaid(queryClient)),
    ]);
  }, [api, queryClient]);

  return null;
}
