import { setImmediate } from 'node:timers/promises';
import { type Ctx, oncePerApp, type Services } from '../../../../ctx.ts';
import { createDb } from '../../../../db/client.ts';
import { buyAll, type Purchase } from '../queries/orders.ts';

interface WaitingPurchase extends Purchase {
  resolve: (isNew: boolean | null) => void;
}

/** Limits how long the accounts of a batch stay locked. */
const MAX_BATCH_SIZE = 50;

type Buy = (purchase: Purchase) => Promise<boolean | null>;

/**
 * Purchases that arrive while a batch is being written go into the next batch. All lock the author's account until their
 * transaction is on disk, so alone they would wait for each other anyway.
 */
function createPurchaseQueue({ pool, log }: Services): Buy {
  const waiting: WaitingPurchase[] = [];
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    // Requests of the same turn of the event loop share a batch.
    await setImmediate();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH_SIZE);
      const results = await buyAll(createDb(pool), batch).catch((error: unknown) => {
        // One purchase that cannot be written must not fail the others, so each is decided alone.
        log.warn({ err: error }, 'a batch of purchases failed');
        return new Map<string, boolean>();
      });
      for (const { order, resolve } of batch) resolve(results.get(order.id) ?? null);
    }
    isRunning = false;
  }
  return ({ order, entry }) =>
    new Promise((resolve) => {
      waiting.push({ order, entry, resolve });
      if (!isRunning) void run();
    });
}

const queueOf = oncePerApp(createPurchaseQueue);

/**
 * Inserts order, purchase and ledger entry. Resolves after the commit: true if the order is new, false if the request id
 * was used before, null if nothing was done and the longer transaction must decide.
 */
export function buyInBatch({ services }: Ctx, purchase: Purchase): Promise<boolean | null> {
  return queueOf(services)(purchase);
}
