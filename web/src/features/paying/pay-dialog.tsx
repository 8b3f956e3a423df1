import type { Order } from '@mozhan/contract/orders.ts';
import { type QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { AppContext, type AppContextValue } from '#web/lib/app-context.ts';
import type { Router } from '#web/router/navigation.ts';
import { RouterProvider, useView } from '#web/router/router.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.tsx';
import { type Bill, dialogTitles, paidWords } from './bill.ts';
import { OrderState } from './order-state.tsx';
import { orderChanged, type Purchase } from './orders.ts';
import { PayWays } from './pay-ways.tsx';
import { type RewardDraft, RewardForm } from './reward-form.tsx';
import { takeReturned } from './wechat.ts';

/** Where the dialog begins: without an amount it asks for one, with an order it waits for its payment. */
interface Start {
  bill: Omit<Bill, 'amount'> & { amount?: number };
  order?: Order;
  /** What WeChat's page gave. */
  wechatCode?: string;
}

function startWith(what: Purchase | Order | 'returned', router: Router): Start | undefined {
  if (what === 'returned') {
    const returned = takeReturned(router);
    return returned && { bill: returned.bill, wechatCode: returned.code };
  }
  if (!('no' in what)) return { bill: what };
  const { kind, target, title, amount, message } = what;
  return { bill: { kind, targetId: target?.id, title, amount, message }, order: what };
}

const hasAmount = (bill: Start['bill']): bill is Bill => bill.amount !== undefined;

/** What has been bought stands behind the dialog then, which has nothing left to say. */
const opensText = ({ kind }: Order) => kind === 'read' || kind === 'column';

/** Whoever goes to another page is done here. */
function usePageLeft(onLeft: () => void): void {
  const page = useView().url.replace(/\?.*/, '');
  const first = useRef(page);
  const leave = useRef(onLeft);
  leave.current = onLeft;
  useEffect(() => {
    if (page !== first.current) leave.current();
  }, [page]);
}

interface PayDialogProps {
  start: Start;
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
  usePageLeft(close);

  async function paid(order: Order): Promise<void> {
    onPaid(order);
    await orderChanged(queryClient).catch(() => {});
    if (!opensText(order)) return;
    close();
    toast(paidWords[order.kind]);
  }

  return (
    <Dialog open={isOpen} onOpenChange={setOpen} onClosed={onClosed} title={dialogTitles[bill.kind]}>
      {order !== undefined ? (
        <OrderState first={order} onPaid={paid} onAgain={() => setOrder(undefined)} onDone={close} />
      ) : hasAmount(bill) ? (
        <PayWays
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

interface Asked {
  what: Purchase | Order | 'returned';
  app: AppContextValue;
  queryClient: QueryClient;
  router: Router;
}

/** In a place of its own: what asked for it may be gone once it is paid for. */
export function payInDialog({ what, app, queryClient, router }: Asked): Promise<Order | undefined> {
  const start = startWith(what, router);
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
