import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@mozhan/contract/calls.ts';
import type { Input, Output, RouteName } from '@mozhan/contract/client.ts';
import { type Call, routeNameOf } from '@mozhan/contract/define.ts';
import { type ErrorCode, errorDefinitions } from '@mozhan/contract/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import type pg from 'pg';
import { expect } from 'vitest';
import { type App, type AppOptions, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { seedInstallation } from '../first-start.ts';
import { errorCodesOf } from '../http/openapi.ts';
import { systemCtx } from '../jobs.ts';
import { ADMIN_PASSWORD, testConfig } from './config.ts';
import { createTestDatabase } from './database.ts';

export { ADMIN_PASSWORD, TEST_KEY } from './config.ts';
export const PASSWORD = 'correct horse 电池';

export interface CallResponse<R extends RouteName> {
  status: number;
  headers: Record<string, unknown>;
  /** The response header `token`. */
  token: string | undefined;
  success: boolean;
  data: Output<R>;
  errorCode: string | undefined;
  errorMessage: string | undefined;
  fields: Record<string, string> | undefined;
}

export interface CallOptions {
  token?: string | undefined;
  /** A client address of its own, for limits per address. */
  address?: string;
  headers?: Record<string, string>;
}

/** As `pg` returns rows. */
type UntypedRow = pg.QueryResult['rows'][number];

export interface TestApp {
  app: App;
  /** Sends the input without validating it. */
  call: <R extends RouteName>(
    route: R,
    input?: Input<R> | object,
    options?: CallOptions,
  ) => Promise<CallResponse<R>>;
  /** Rows of a statement in the app's database. */
  query: <Row extends pg.QueryResultRow = UntypedRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  register: (account?: string, more?: object) => Promise<{ token: string; user: CurrentUser }>;
  signInAdmin: () => Promise<string>;
  advance: (ms: number) => void;
  close: () => Promise<void>;
}

export const portOf = ({ app }: TestApp): number => (app.server.server.address() as AddressInfo).port;

export const uniqueName = (): string => `user-${randomBytes(5).toString('hex')}`;

export interface TestOptions
  extends Pick<AppOptions, 'site' | 'backOffice' | 'print' | 'timeoutMs' | 'logStream'> {
  config?: Partial<Config>;
  /** Whether the app runs the jobs of its database. If not, a test calls them itself, and nothing runs beside it. */
  runsJobs?: boolean;
  /** Uses the database of another app, like a second process of one installation. */
  sameDatabaseAs?: TestApp;
  /** An existing migrated database, which the caller drops. */
  connection?: AppOptions['connection'];
  startAt?: Date;
}

/** Starts the real server on a new database, with a clock that the test controls. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  // The template database has already gone through the first start, unless an option changes its result.
  const { config = {} } = options;
  const isPrepared = !('adminPassword' in config) && !config.demo;
  const sharedConnection =
    options.sameDatabaseAs === undefined ? options.connection : connections.get(options.sameDatabaseAs);
  const ownDatabase =
    sharedConnection === undefined
      ? await createTestDatabase({ state: isPrepared ? 'prepared' : 'migrated' })
      : null;
  const connection = sharedConnection ?? ownDatabase?.connection;
  if (connection === undefined) throw new Error('the other app is not a test app');
  const dataDir = await mkdtemp(join(tmpdir(), 'mozhan-app-'));
  let offset = options.startAt === undefined ? 0 : options.startAt.getTime() - Date.now();
  const app = await createApp({
    config: { ...testConfig(dataDir), ...options.config },
    connection,
    clock: () => new Date(Date.now() + offset),
    runsSchedule: false,
    ...(options.site === undefined ? {} : { site: options.site }),
    ...(options.backOffice === undefined ? {} : { backOffice: options.backOffice }),
    ...(options.print === undefined ? {} : { print: options.print }),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.logStream === undefined ? {} : { logStream: options.logStream }),
    runsJobs: options.runsJobs ?? false,
  });
  if (!isPrepared || options.connection !== undefined) await seedInstallation(systemCtx(app.services));

  const call: TestApp['call'] = async (route, input = {}, { token, address, headers = {} } = {}) => {
    const [method = 'GET', template = ''] = route.split(' ');
    const rest: Record<string, unknown> = { ...input };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const response = await app.server.inject({
      method: method as 'GET',
      url: `${app.services.config.basePath}/api/${path}`,
      headers: {
        ...(token === undefined ? {} : { token }),
        ...(address === undefined ? {} : { 'x-forwarded-for': address }),
        ...headers,
      },
      ...(method === 'GET'
        ? { query: Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, String(value)])) }
        : { payload: rest }),
    });
    const body = response.json();
    expectMatchesContract(route, response.statusCode, body);
    return {
      status: response.statusCode,
      headers: response.headers,
      token: response.headers.token as string | undefined,
      success: body.success,
      data: body.data,
      errorCode: body.errorCode,
      errorMessage: body.errorMessage,
      fields: body.data?.fields,
    };
  };

  const testApp: TestApp = {
    app,
    call,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await app.services.pool.query<Row>(text, values)).rows,
    async register(account = uniqueName(), more = {}) {
      const response = await call('POST core/user/', { account, password: PASSWORD, ...more });
      if (response.token === undefined) throw new Error(`not registered: ${response.errorMessage}`);
      return { token: response.token, user: response.data };
    },
    async signInAdmin() {
      const response = await call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
      if (response.token === undefined) throw new Error(`not signed in: ${response.errorMessage}`);
      return response.token;
    },
    advance(ms) {
      offset += ms;
    },
    async close() {
      // A connection that has sent nothing would be waited for; Node does not count it as idle.
      app.server.server.closeAllConnections();
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
      await ownDatabase?.drop();
    },
  };
  connections.set(testApp, connection);
  return testApp;
}

const callsByName = new Map<string, Call>(calls.map((call) => [routeNameOf(call), call]));

/**
 * The response must match the contract and so the OpenAPI document: no missing fields, no additional ones, which could
 * be private, and only declared errors with their status.
 */
function expectMatchesContract(
  route: RouteName,
  status: number,
  body: { success: boolean } & Record<string, unknown>,
): void {
  const call = callsByName.get(route);
  if (call === undefined) return;
  if (body.success) {
    expect(status).toBe(200);
    expect(call.output.parse(body.data)).toEqual(body.data);
    return;
  }
  const code = body.errorCode as ErrorCode;
  expect(errorCodesOf(call), `the errors of ${route}`).toContain(code);
  expect(status, code).toBe(errorDefinitions[code][0]);
}

const connections = new WeakMap<TestApp, AppOptions['connection']>();
