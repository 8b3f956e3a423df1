import type { Order } from '@mozhan/contract/orders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { useRouter } from '#web/router/router.tsx';
import { toast } from '#web/ui/toast.tsx';
import type { PayFunction, Purchase } from './order-queries.ts';

/** Only one payment at a time, however often the button is clicked. */
let current: Promise<Order | undefined> | undefined;

/** Opens the payment dialog, whose code is loaded on demand. Resolves when the dialog is closed. */
export function usePay(): PayFunction {
  const app = useApp();
  const queryClient = useQueryClient();
  const router = useRouter();

  const open = useCallback(
    (purchase: Purchase | Order | 'returned') => {
      async function openDialog(): Promise<Order | undefined> {
        try {
          const { openPayDialog } = await import('./pay-dialog.tsx');
          return await openPayDialog({ purchase, app, queryClient, router });
        } catch {
          toast('没能打开，请检查网络后再试', 'warn');
          return undefined;
        } finally {
          current = undefined;
        }
      }
      current ??= openDialog();
      return current;
    },
    [app, queryClient, router],
  );

  useEffect(() => {
    // WeChat's authorization page has redirected back, so the dialog continues where it was.
    if (/[?&]code=/.test(location.search) && /MicroMessenger/i.test(navigator.userAgent))
      void open('returned');
  }, [open]);

  return open;
}
