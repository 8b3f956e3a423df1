/**
 * `node bench/purchases.ts`: people buy essays from their balance over 50 connections; first undisturbed, to see how many
 * purchases a second there are, then 10 000 of them while the server is killed ten times. Afterwards every purchase that
 * was answered is there, none twice, and the ledger agrees with itself, with the orders and with what must be left.
 */

import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ORDER_STATUS } from '@mozhan/contract/enums.ts';
import type pg from 'pg';
import { makePeople } from './people.ts';
import { openClient, startMozhan, temporaryFolder } from './servers.ts';
import { buyAll, everyone, type Purchase, sellEssays, topUp } from './shopping.ts';

const PEOPLE = 100;
/** Bought by everybody: before the killing begins, and while it goes on. */
const CALM_ESSAYS = 50;
const ESSAYS = 150;
const KILLS = 10;
const PRICE = 990;
const RECHARGE = 500_000;
/** Purchases a second. */
const LEAST = 300;

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

/** What must hold: each query answers with what contradicts it. */
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
  const tokens = await makePeople(client, PEOPLE);
  const essayIds = await sellEssays(client, ESSAYS, PRICE);
  await topUp(shop, tokens, RECHARGE);
  const calm = everyone(PEOPLE, essayIds.slice(0, CALM_ESSAYS));
  // The first of them warm it up.
  await buyAll(shop, tokens, calm.slice(0, 1000));
  const since = performance.now();
  await buyAll(shop, tokens, calm.slice(1000));
  const rate = (calm.length - 1000) / ((performance.now() - since) / 1000);
  console.log(`${Math.round(rate)} purchases a second (goal: ${LEAST})`);
  await client.end().catch(() => {});

  const answered = await buyWhileKilled(tokens, everyone(PEOPLE, essayIds.slice(CALM_ESSAYS)));
  console.log(`${answered.length} purchases answered, the server killed ${KILLS} times`);
  client = await openClient(dataDir);
  const found = await countContradictions(client, answered);
  if (found > 0 || rate < LEAST) process.exitCode = 1;
} finally {
  await client.end().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
