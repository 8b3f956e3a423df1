import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@mozhan/contract/calls.ts';
import type { Input, Output, RouteName } from '@mozhan/contract/client.ts';
import { type Call, nameOf } from '@mozhan/contract/define.ts';
import { type ErrorCode, errors } from '@mozhan/contract/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { expect } from 'vitest';
import { type App, type AppOptions, createApp } from '../app.ts';
import type { Config } from '../config/config.ts';
import { prepare } from '../first-start.ts';
import { codesOf } from '../http/openapi.ts';
import { systemCtx } from '../jobs.ts';
import { ADMIN_PASSWORD, testConfig } from './config.ts';
import { createTestDatabase } from './database.ts';

export { ADMIN_PASSWORD, TEST_KEY } from './config.ts';
export const PASSWORD = 'correct horse 电池';
/** Longer than any call takes on a busy machine. */
const CALL_TIMEOUT_MS = 120_000;

/** What came back, as a client would see it. */
export interface Answer<R extends RouteName> {
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
  /** Another address than everyone else's, for what counts by address. */
  address?: string;
  headers?: Record<string, string>;
}

export interface TestApp {
  app: App;
  /** Makes a call; the input is sent as it is, right or wrong. */
  call: <R extends RouteName>(
    route: R,
    input?: Input<R> | object,
    options?: CallOptions,
  ) => Promise<Answer<R>>;
  register: (account?: string, more?: object) => Promise<{ token: string; user: CurrentUser }>;
  signInAdmin: () => Promise<string>;
  /** Moves the server's clock. */
  advance: (ms: number) => void;
  close: () => Promise<void>;
}

/** The port of an app that listens. */
export const portOf = ({ app }: TestApp): number => (app.server.server.address() as AddressInfo).port;

export const uniqueName = (): string => `user-${randomBytes(5).toString('hex')}`;

export interface TestOptions
  extends Pick<AppOptions, 'site' | 'backOffice' | 'print' | 'timeoutMs' | 'logStream' | 'runsJobs'> {
  config?: Partial<Config>;
  /** Another app on the same database, as a second process would be. */
  beside?: TestApp;
  /** A migrated database that is there already; the caller drops it. */
  connection?: AppOptions['connection'];
  /** What the clock says at the start. */
  startAt?: Date;
}

/** The real server on a database of its own, its clock under the test's control. */
export async function startTestApp(options: TestOptions = {}): Promise<TestApp> {
  // The first start of most apps was made once for all.
  const { config = {} } = options;
  const isPrepared = !('adminPassword' in config) && !config.demo;
  const shared = options.beside === undefined ? options.connection : connections.get(options.beside);
  const own =
    shared === undefined ? await createTestDatabase({ is: isPrepared ? 'prepared' : 'migrated' }) : null;
  const connection = shared ?? own?.connection;
  if (connection === undefined) throw new Error('no database');
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
    timeoutMs: options.timeoutMs ?? CALL_TIMEOUT_MS,
    ...(options.logStream === undefined ? {} : { logStream: options.logStream }),
    ...(options.runsJobs === undefined ? {} : { runsJobs: options.runsJobs }),
  });
  if (!isPrepared || options.connection !== undefined) await prepare(systemCtx(app.services));

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
    expectDeclared(route, response.statusCode, body);
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
    async register(account = uniqueName(), more = {}) {
      const answer = await call('POST core/user/', { account, password: PASSWORD, ...more });
      if (answer.token === undefined) throw new Error(`not registered: ${answer.errorMessage}`);
      return { token: answer.token, user: answer.data };
    },
    async signInAdmin() {
      const answer = await call('POST core/account/login', { account: 'admin', password: ADMIN_PASSWORD });
      if (answer.token === undefined) throw new Error(`not signed in: ${answer.errorMessage}`);
      return answer.token;
    },
    advance(ms) {
      offset += ms;
    },
    async close() {
      await app.close();
      await rm(dataDir, { recursive: true, force: true });
      await own?.drop();
    },
  };
  connections.set(testApp, connection);
  return testApp;
}

const declared = new Map<string, Call>(calls.map((call) => [nameOf(call), call]));

/**
 * What goes out is what the contract declares, and the OpenAPI document with it: nothing missing, and nothing more,
 * which might be private; no other error, and none with another status.
 */
function expectDeclared(
  route: RouteName,
  status: number,
  body: { success: boolean } & Record<string, unknown>,
): void {
  const call = declared.get(route);
  if (call === undefined) return;
  if (body.success) {
    expect(status).toBe(200);
    expect(call.output.parse(body.data)).toEqual(body.data);
    return;
  }
  const code = body.errorCode as ErrorCode;
  expect(codesOf(call), `the errors of ${route}`).toContain(code);
  expect(status, code).toBe(errors[code][0]);
}

const connections = new WeakMap<TestApp, AppOptions['connection']>();
