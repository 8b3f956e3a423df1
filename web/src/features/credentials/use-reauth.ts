import { hasCode } from '@mozhan/client/errors.ts';
import { useCallback } from 'react';
import { useApi } from '#web/lib/app-context.ts';

/** Sends a call that may first ask the reader to prove again who they are; then sends it once more. */
type WithReauth = <T>(send: () => Promise<T>) => Promise<T>;

/** A call that is refused with REAUTH_REQUIRED opens a dialog and is then repeated; what was typed stays. */
export function useReauth(): WithReauth {
  const api = useApi();
  return useCallback(
    async (send) => {
      try {
        return await send();
      } catch (error) {
        if (!hasCode(error, 'REAUTH_REQUIRED')) throw error;
        const ways = await api('GET core/account/reauth');
        const { askForReauth } = await import('./reauth-dialog.tsx');
        if (!(await askForReauth(api, ways))) throw error;
        return send();
      }
    },
    [api],
  );
}
