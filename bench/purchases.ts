/**
 * `node bench/purchases.ts`: people buy essays from their balance over 50 connections; first undisturbed, to see how many
 * purchases a second there are, then 10 000 of them while the server is killed ten times. Afterwards every purchase that
 * was answered is there, none twice, and the ledger agrees with itself, with the orders and with what must be left.
 */

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ESSAY_STATUS, IDENTITY, ORDER_STATUS } from '@mozhan/contract/enums.ts';
import { findRunning } from '@mozhan/postgres';
import pg from 'pg';
import { makePeople } from './people.ts';
import { startMozhan } from './servers.ts';

const PEOPLE = 100;
/** Bought by everybody: before the killing begins, and while it goes on. */
const CALM_ESSAYS = 50;
const ESSAYS = 150;
const CONNECTIONS = 50;
const KILLS = 10;
const PRICE = 990;
const RECHARGE = 500_000;
/** Purchases a second. */
const LEAST = 300;

interface Purchase {
  person: number;
  essayId: string;
}

const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-bench-'));
// Run by root, PostgreSQL runs as someone else, who must be able to enter.
await chmod(dataDir, 0o755);
let server = await startMozhan(dataDir);

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(
    (await findRunning({ dataDir, note: () => {}, systemDir: `${dataDir}/system` })) ?? {},
  );
  // It goes down with the server that is killed.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function makeEssays(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with authors as (
       select array_agg(id) as ids from users where cur_identity = ${IDENTITY.writer}
     )
     insert into essays
     select (jsonb_populate_record(model, jsonb_build_object(
       'id', gen_random_uuid(), 'title', '第 ' || n || ' 篇', 'price', $1::int, 'column_id', null,
       'author_id', ids[1 + n % cardinality(ids)]))).*
     from (select essays from essays where status = ${ESSAY_STATUS.onShelf} and price > 0 order by id limit 1) as chosen (model),
       authors, generate_series(1, $2::int) n
     returning id`,
    [PRICE, ESSAYS],
  );
  return rows.map((row) => row.id.replaceAll('-', ''));
}

interface Answer {
  success: boolean;
  errorCode?: string;
  data?: { id: string; status: number };
}

async function call(method: string, token: string, body: object): Promise<Answer> {
  const response = await fetch(`${server.url}/api/core/user/order`, {
    method,
    headers: { token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

/** With the same `requestId` again until there is an answer: what a careful client does. */
async function insist(method: string, token: string, body: object): Promise<string> {
  for (;;) {
    const answer = await call(method, token, body).catch(() => null);
    if (answer?.success && answer.data?.status !== undefined) return answer.data.id;
    if (answer !== null && answer.errorCode !== 'UNAVAILABLE') throw new Error(JSON.stringify(answer));
    await sleep(100);
  }
}

async function recharge(token: string, person: number): Promise<void> {
  const requestId = `recharge-${person}`;
  const id = await insist('POST', token, { kind: 'recharge', amount: RECHARGE, payBy: 'sandbox', requestId });
  await insist('PUT', token, { id, action: 'pay' });
}

/** All of them over so many connections; tells of each that was answered. */
async function buyAll(
  tokens: string[],
  purchases: Purchase[],
  bought: (orderId: string) => void = () => {},
): Promise<void> {
  const waiting = purchases.values();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const { person, essayId } of waiting) {
        const requestId = `${person}-${essayId}`;
        bought(
          await insist('POST', tokens[person] ?? '', {
            kind: 'read',
            targetId: essayId,
            payBy: 'balance',
            requestId,
          }),
        );
      }
    }),
  );
}

/** Everyone takes turns at every essay, so that the same rows are wanted by many at once. */
const everyone = (essayIds: string[]): Purchase[] =>
  essayIds.flatMap((essayId) => Array.from({ length: PEOPLE }, (_, person) => ({ person, essayId })));

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
  await buyAll(tokens, purchases, (orderId) => answered.push(orderId));
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

let client = await connect();
try {
  const tokens = await makePeople(client, PEOPLE);
  const essayIds = await makeEssays(client);
  await Promise.all(tokens.map(recharge));
  const calm = everyone(essayIds.slice(0, CALM_ESSAYS));
  // The first of them warm it up.
  await buyAll(tokens, calm.slice(0, 1000));
  const since = performance.now();
  await buyAll(tokens, calm.slice(1000));
  const rate = (calm.length - 1000) / ((performance.now() - since) / 1000);
  console.log(`${Math.round(rate)} purchases a second (goal: ${LEAST})`);
  await client.end().catch(() => {});

  const answered = await buyWhileKilled(tokens, everyone(essayIds.slice(CALM_ESSAYS)));
  console.log(`${answered.length} purchases answered, the server killed ${KILLS} times`);
  client = await connect();
  const found = await countContradictions(client, answered);
  if (found > 0 || rate < LEAST) process.exitCode = 1;
} finally {
  await client.end().catch(() => {});
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();
