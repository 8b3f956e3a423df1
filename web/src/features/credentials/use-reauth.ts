import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useCallback } from 'react';
import { useApi } from '#web/lib/app-context.ts';

type WithReauth = <T>(send: () => Promise<T>) => Promise<T>;

/** A call refused with REAUTH_REQUIRED opens a dialog and is then repeated. */
export function useReauth(): WithReauth {
  const api = useApi();
  return useCallback(
    async (send) => {
      try {
        return await send();
      } catch (error) {
        if (!hasErrorCode(error, 'REAUTH_REQUIRED')) throw error;
        const methods = await api('GET core/account/reauth');
        const { showReauthDialog } = await import('./reauth-dialog.tsx');
        if (!(await showReauthDialog(api, methods))) throw error;
        return send();
      }
    },
    [api],
  );
}
