import { clearSession } from '@mozhan/client/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { resetPersonalQueries } from './reset-personal-queries.ts';

/** Ends the session, locally even when the server cannot be reached. */
export function useSignOut(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    await api('DELETE core/account/login').catch(() => {});
    clearSession();
    resetPersonalQueries(queryClient);
  };
}
