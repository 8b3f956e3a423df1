import type { Order } from '@mozhan/contract/orders.ts';
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AppContext, type AppContextValue } from '#web/lib/app-context.ts';
import type { Router } from '#web/router/navigation.ts';
import { RouterProvider, useView } from '#web/router/router.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type Bill, paidMessages, payDialogTitles } from './bill.ts';
import { OrderProgress } from './order-progress.tsx';
import { invalidateOrderQueries, type Purchase } from './order-queries.ts';
import { PayMethods } from './pay-methods.tsx';
import { type RewardDraft, RewardForm } from './reward-form.tsx';
import { consumeWechatReturn } from './wechat.ts';

/** The initial state: without an amount the dialog asks for one, with an order it waits for the payment. */
interface DialogStart {
  bill: Omit<Bill, 'amount'> & { amount?: number };
  order?: Order;
  /** The code from WeChat's authorization page. */
  wechatCode?: string;
}

function toDialogStart(purchase: Purchase | Order | 'returned', router: Router): DialogStart | undefined {
  if (purchase === 'returned') {
    const returned = consumeWechatReturn(router);
    return returned && { bill: returned.bill, wechatCode: returned.code };
  }
  if (!('no' in purchase)) return { bill: purchase };
  const { kind, target, title, amount, message } = purchase;
  return { bill: { kind, targetId: target?.id, title, amount, message }, order: purchase };
}

const hasAmount = (bill: DialogStart['bill']): bill is Bill => bill.amount !== undefined;

/** The purchased text is behind the dialog, so the dialog can close. */
const opensEssay = ({ kind }: Order) => kind === 'read' || kind === 'column';

/** Closes the dialog when the reader navigates to another page. */
function useOnPageLeft(onLeft: () => void): void {
  const page = useView().url.replace(/\?.*/, '');
  const first = useRef(page);
  const latestOnLeft = useRef(onLeft);
  latestOnLeft.current = onLeft;
  useEffect(() => {
    if (page !== first.current) latestOnLeft.current();
  }, [page]);
}

interface PayDialogProps {
  start: DialogStart;
  onPaid: (order: Order) => void;
  onClosed: () => void;
}

function PayDialog({ start, onPaid, onClosed }: PayDialogProps) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(true);
  const [bill, setBill] = useState(start.bill);
  const [order, setOrder] = useState(start.order);
  const [draft, setDraft] = useState<RewardDraft>();
  const close = () => setOpen(false);
  useOnPageLeft(close);

  async function paid(order: Order): Promise<void> {
    onPaid(order);
    await invalidateOrderQueries(queryClient).catch(() => {});
    if (!opensEssay(order)) return;
    close();
    toast(paidMessages[order.kind]);
  }

  return (
    <Dialog open={isOpen} onOpenChange={setOpen} onClosed={onClosed} title={payDialogTitles[bill.kind]}>
      {order !== undefined ? (
        <OrderProgress
          initialOrder={order}
          onPaid={paid}
          onRestart={() => setOrder(undefined)}
          onDone={close}
        />
      ) : hasAmount(bill) ? (
        <PayMethods
          bill={bill}
          wechatCode={start.wechatCode}
          onPlaced={setOrder}
          onBack={draft && (() => setBill(start.bill))}
          onLeave={close}
        />
      ) : (
        <RewardForm
          title={bill.title}
          draft={draft}
          onDone={(draft) => {
            setDraft(draft);
            setBill({ ...bill, ...draft });
          }}
        />
      )}
    </Dialog>
  );
}

interface PayDialogOptions {
  purchase: Purchase | Order | 'returned';
  app: AppContextValue;
  queryClient: QueryClient;
  router: Router;
}

/** Renders into a root of its own, because the component that opened it may be unmounted after the payment. */
export function openPayDialog({
  purchase,
  app,
  queryClient,
  router,
}: PayDialogOptions): Promise<Order | undefined> {
  const start = toDialogStart(purchase, router);
  if (start === undefined) return Promise.resolve(undefined);
  const root = createRoot(document.createElement('div'));
  let paid: Order | undefined;
  return new Promise((resolve) => {
    const onClosed = () => {
      root.unmount();
      resolve(paid);
    };
    root.render(
      <QueryClientProvider client={queryClient}>
        <AppContext value={app}>
          <RouterProvider router={router}>
            <PayDialog
              start={start}
              onPaid={(order) => {
                paid = order;
              }}
              onClosed={onClosed}
            />
          </RouterProvider>
        </AppContext>
      </QueryClientProvider>,
    );
  });
}
