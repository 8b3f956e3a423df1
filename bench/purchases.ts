/**
 * `node bench/purchases.ts`: users buy essays from their balance over 50 connections; first undisturbed to measure the
 * rate, then 10 000 purchases while the server is killed ten times. Afterwards checks that every confirmed purchase
 * exists once, and that the ledger is consistent with itself, the orders and the expected balances.
 */

import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';
import { allPurchases, buyAll, createPaidEssays, type Purchase, topUp } from './shopping.ts';
import { createUsers } from './users.ts';

const USER_COUNT = 100;
/** Essays that every user buys before the kills begin, and in total. */
const CALM_ESSAYS = 50;
const ESSAYS = 150;
const KILLS = 10;
const PRICE = 990;
const RECHARGE = 500_000;
const MIN_RATE = 300;

const dataDir = await temporaryFolder();
let server = await startMozhan(dataDir);

async function buyWhileKilled(tokens: string[], purchases: Purchase[]): Promise<string[]> {
  const answered: string[] = [];
  let kills = 0;
  let isDone = false;
  const killer = async () => {
    while (!isDone) {
      await sleep(20);
      if (kills === KILLS || answered.length < ((kills + 0.5) * purchases.length) / KILLS) continue;
      kills += 1;
      process.kill(server.pid, 'SIGKILL');
      process.stderr.write(`killed at ${answered.length} … `);
      server = await startMozhan(dataDir);
    }
  };
  const killing = killer();
  await buyAll(shop, tokens, purchases, (orderId) => answered.push(orderId));
  isDone = true;
  await killing;
  process.stderr.write('\n');
  if (kills < KILLS) throw new Error(`only ${kills} kills`);
  return answered;
}

/** Invariants: each query returns the rows that violate it. */
const contradictions = (answered: string[]): [name: string, text: string, ...values: unknown[]][] => [
  [
    'answered, but not paid',
    `select answered.id from unnest($1::uuid[]) as answered (id)
     left join orders on orders.id = answered.id and orders.status = ${ORDER_STATUS.paid} where orders.id is null`,
    answered,
  ],
  [
    'bought twice or not at all',
    `select person.id from users person where person.invite_code like 'bench-%' and (
       (select count(*) from purchases where user_id = person.id) <> $1 or
       (select count(*) from orders where user_id = person.id and kind = 'read' and status = ${ORDER_STATUS.paid}) <> $1)`,
    ESSAYS,
  ],
  [
    'paid twice or not at all',
    `select orders.id from orders left join ledger_entries on ledger_entries.order_id = orders.id
     where orders.status = ${ORDER_STATUS.paid} group by orders.id having count(ledger_entries.id) <> 1`,
  ],
  [
    'another balance than what must be left',
    `select person.id from users person
     join ledger_accounts on user_id = person.id and account = 'balance'
     where person.invite_code like 'bench-%' and balance <> $1`,
    RECHARGE - ESSAYS * PRICE,
  ],
  [
    'a balance that is not its lines',
    `select ledger_accounts.id from ledger_accounts left join ledger_lines on account_id = ledger_accounts.id
     group by ledger_accounts.id having balance <> coalesce(sum(amount), 0)`,
  ],
  ['an entry that is not balanced', 'select entry_id from ledger_lines group by 1 having sum(amount) <> 0'],
  ['a sum that is not zero', 'select sum(balance) from ledger_accounts having sum(balance) <> 0'],
];

async function countContradictions(client: pg.Client, answered: string[]): Promise<number> {
  let found = 0;
  for (const [name, text, ...values] of contradictions(answered)) {
    const { rowCount } = await client.query(text, values);
    console.log(`${name}: ${rowCount}`);
    found += rowCount ?? 0;
  }
  return found;
}

const shop = { url: () => server.url };
let client = await openClient(dataDir);
try {
  const tokens = await createUsers(client, USER_COUNT);
  const essayIds = await createPaidEssays(client, ESSAYS, PRICE);
  await topUp(shop, tokens, RECHARGE);
  const calm = allPurchases(USER_COUNT, essayIds.slice(0, CALM_ESSAYS));
  // The first 1000 are a warm-up.
  await buyAll(shop, tokens, calm.slice(0, 1000));
  const since = performance.now();
  await buyAll(shop, tokens, calm.slice(1000));
  const rate = (calm.length - 1000) / ((performance.now() - since) / 1000);
  console.log(`${Math.round(rate)} purchases a second (goal: ${MIN_RATE})`);
  await client.end().catch(() => {});

  const answered = await buyWhileKilled(tokens, allPurchases(USER_COUNT, essayIds.slice(CALM_ESSAYS)));
  console.log(`${answered.length} purchases answered, the server killed ${KILLS} times`);
  client = await openClient(dataDir);
  const found = await countContradictions(client, answered);
  if (found > 0 || rate < MIN_RATE) process.exitCode = 1;
} finally {
  await client.end().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
