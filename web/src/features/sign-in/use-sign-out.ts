import { clearSession, clearUser, readToken } from '@mozhan/client/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { resetPersonalQueries } from './reset-personal-queries.ts';

/** Ends the session, locally even when the server cannot be reached. */
export function useSignOut(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    const token = readToken();
    // First removes what only signed-in users see: its calls would be refused once the session has ended.
    clearUser();
    await queryClient.cancelQueries();
    // Also ends when the page is closed meanwhile.
    await api('DELETE core/account/login', {}, { keepalive: true }).catch(() => {});
    // Somebody may have signed in meanwhile.
    if (readToken() === token) clearSession();
    resetPersonalQueries(queryClient);
  };
}
