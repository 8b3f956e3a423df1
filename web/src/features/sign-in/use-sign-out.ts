import { forgetSession } from '@mozhan/client/session.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { forgetPersonal } from './personal.ts';

/** Ends the session. Here it ends even when the server cannot be told. */
export function useSignOut(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    await api('DELETE core/account/login').catch(() => {});
    forgetSession();
    forgetPersonal(queryClient);
  };
}
