import { messageOf } from '@mozhan/client/errors.ts';
import type { Order } from '@mozhan/contract/orders.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orderChanged } from '#web/features/paying/orders.ts';
import { useApi } from '#web/lib/app-context.ts';
import { confirm } from '#web/ui/confirm.tsx';
import { toast } from '#web/ui/toast.tsx';

/** Gives up an order that is not paid yet, after asking. */
export function useCancel({ id, title }: Order) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  async function cancel(): Promise<void> {
    const question = { title: '取消这张订单？', text: `「${title}」还没有付款。`, action: '取消订单' };
    if (!(await confirm(question))) return;
    setBusy(true);
    try {
      await api('PUT core/user/order', { id, action: 'cancel' });
      toast('订单已取消');
    } catch (error) {
      toast(messageOf(error), 'bad');
    } finally {
      setBusy(false);
      // Also after a refusal: it may have been paid in the meantime.
      await orderChanged(queryClient);
    }
  }

  return { cancel, isBusy };
}
