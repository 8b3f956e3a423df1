import type { Order } from '@mozhan/contract/orders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { useRouter } from '#web/router/router.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { Pay, Purchase } from './orders.ts';

/** One at a time, however often somebody presses. */
let current: Promise<Order | undefined> | undefined;

/** Opens the dialog of paying, whose code is fetched only then. Settles when it is closed again. */
export function usePay(): Pay {
  const app = useApp();
  const queryClient = useQueryClient();
  const router = useRouter();

  const open = useCallback(
    (what: Purchase | Order | 'returned') => {
      async function ask(): Promise<Order | undefined> {
        try {
          const { payInDialog } = await import('./pay-dialog.tsx');
          return await payInDialog({ what, app, queryClient, router });
        } catch {
          toast('没能打开，请检查网络后再试', 'warn');
          return undefined;
        } finally {
          current = undefined;
        }
      }
      current ??= ask();
      return current;
    },
    [app, queryClient, router],
  );

  useEffect(() => {
    // WeChat's own page has said who pays: the dialog goes on where it was left.
    if (/[?&]code=/.test(location.search) && /MicroMessenger/i.test(navigator.userAgent))
      void open('returned');
  }, [open]);

  return open;
}
