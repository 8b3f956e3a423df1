import { setTimeout as sleep } from 'node:timers/promises';
import type { Input, Output, RouteName } from '@mozhan/contract/client.ts';
import type { CallOptions, TestApp } from '../app.ts';
import type { TestUser } from '../essays.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const WAIT_TIMEOUT_MS = 60_000;

export async function mustCall<R extends RouteName>(
  t: TestApp,
  route: R,
  input: Input<R> | object = {},
  options: CallOptions = {},
): Promise<Output<R>> {
  const { success, data, errorCode, errorMessage, fields } = await t.call(route, input, options);
  if (!success) throw new Error(`${route}: ${errorCode} ${errorMessage} ${JSON.stringify(fields ?? {})}`);
  return data;
}

export interface Users {
  admin: { token: string };
  /** Has a verified e-mail, a phone, API tokens and most of the essays. */
  writer: TestUser;
  second: TestUser;
  /** Buys essays, comments, and writes messages. */
  reader: TestUser;
  /** Invited by the reader. */
  friend: TestUser;
  /** Blocked, reported and muted. */
  offender: TestUser;
  /** Staff with a second factor. */
  auditor: TestUser;
}

export async function waitUntilNoRows(t: TestApp, query: string): Promise<void> {
  const deadline = Date.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    const { rows } = await t.app.services.pool.query(query);
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error(`${query}: ${JSON.stringify(rows)}`);
    await sleep(100);
  }
}

export const waitForJobs = (t: TestApp): Promise<void> =>
  waitUntilNoRows(t, 'select task_identifier, last_error from graphile_worker.jobs where run_at <= now()');

/** Runs scheduled jobs now, in this order. */
export async function runJobs(t: TestApp, ...names: string[]): Promise<void> {
  for (const name of names) {
    await t.app.services.pool.query('select graphile_worker.add_job($1)', [name]);
    await waitForJobs(t);
  }
}
