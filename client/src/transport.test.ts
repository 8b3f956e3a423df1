import type { TransportRequest } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { expect, test, vi } from 'vitest';
import { createBrowserTransport } from './transport.ts';

const site: TransportRequest = {
  method: 'GET',
  path: 'core/site/',
  input: {},
  fullInput: {},
  route: 'GET core/site/',
};

function setUp(answer: () => Response | Promise<Response>) {
  const session = {
    readToken: () => 'my-token',
    storeToken: vi.fn(),
    clearSession: vi.fn(),
    clearUser: vi.fn(),
  };
  const fetcher = vi.fn<typeof fetch>(async () => await answer());
  const send = createBrowserTransport({ basePath: '/blog', session, fetcher });
  const call = (request: Partial<TransportRequest> = {}) => send({ ...site, ...request });
  const sent = () => {
    const [url, init] = fetcher.mock.calls[0] ?? [];
    return { url: new URL(String(url), 'http://site'), init };
  };
  return { session, call, sent };
}

const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);
const refusal = async (call: Promise<unknown>) => {
  const error = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CallError);
  return error as CallError;
};

test('returns the data of the envelope', async () => {
  const { call, sent } = setUp(json({ success: true, data: { year: 2026 } }));
  expect(await call({ input: { tag: ['a', 'b'], none: undefined, at: { x: 1 } } })).toEqual({ year: 2026 });
  const { url, init } = sent();
  expect(url.pathname).toBe('/blog/api/core/site/');
  expect(url.searchParams.getAll('tag')).toEqual(['a', 'b']);
  expect(url.searchParams.has('none')).toBe(false);
  expect(url.searchParams.get('at')).toBe('{"x":1}');
  expect(Number(url.searchParams.get('t'))).toBeGreaterThan(0);
  expect(init?.headers).toMatchObject({ token: 'my-token' });
});

test('sends the input of a write as JSON', async () => {
  const { call, sent } = setUp(json({ success: true, data: null }));
  await call({ method: 'PUT', input: { name: '林砚' } });
  expect(sent().init).toMatchObject({ method: 'PUT', body: '{"name":"林砚"}' });
  expect([...sent().url.searchParams.keys()]).toEqual(['t']);
});

test('stores the token of a response, and ends the session when it is empty', async () => {
  const renewed = setUp(json({ success: true, data: 1 }, { headers: { token: 'next' } }));
  await renewed.call();
  expect(renewed.session.storeToken).toHaveBeenCalledWith('next');
  const ended = setUp(json({ success: true, data: 1 }, { headers: { token: '' } }));
  await ended.call();
  expect(ended.session.clearSession).toHaveBeenCalled();
  expect(ended.session.storeToken).not.toHaveBeenCalled();
});

test('throws a refusal with its code, fields and retry time', async () => {
  const body = {
    success: false,
    errorCode: 'INVALID',
    errorMessage: '账号太短',
    showType: 1,
    data: { fields: { account: '太短' } },
  };
  const { call } = setUp(json(body, { status: 422, headers: { 'retry-after': '30' } }));
  expect(await refusal(call())).toMatchObject({
    code: 'INVALID',
    status: 422,
    message: '账号太短',
    fields: { account: '太短' },
    retryAfter: 30,
    showType: 1,
  });
});

test('throws a refusal that has status 200', async () => {
  const { call } = setUp(json({ success: false, errorCode: 'TICKET_USED', errorMessage: '已被处理' }));
  expect(await refusal(call())).toMatchObject({ code: 'TICKET_USED', status: 200 });
});

test('clears the user when the session is missing', async () => {
  const { call, session } = setUp(
    json({ success: false, errorCode: 'SIGN_IN_REQUIRED', errorMessage: '请先登录' }, { status: 401 }),
  );
  await refusal(call());
  expect(session.clearUser).toHaveBeenCalled();
  const wrong = setUp(json({ success: false, errorCode: 'WRONG_PASSWORD' }, { status: 401 }));
  await refusal(wrong.call());
  expect(wrong.session.clearUser).not.toHaveBeenCalled();
});

test('derives the error code from the status when the response is not an envelope', async () => {
  const page = (status: number) => setUp(() => new Response('<html>', { status })).call();
  expect((await refusal(page(502))).code).toBe('UNAVAILABLE');
  expect((await refusal(page(504))).code).toBe('TIMEOUT');
  expect((await refusal(page(413))).code).toBe('TOO_LARGE');
  expect((await refusal(page(200))).code).toBe('INTERNAL');
  const newer = setUp(json({ success: false, errorCode: 'FROM_THE_FUTURE' }, { status: 403 }));
  expect((await refusal(newer.call())).code).toBe('FORBIDDEN');
});

test('reports missing network, timeout and cancellation', async () => {
  const offline = setUp(() => Promise.reject(new TypeError('failed to fetch')));
  expect(await refusal(offline.call())).toMatchObject({ code: 'UNAVAILABLE', message: /网络/ });

  vi.useFakeTimers();
  const hanging = (init?: RequestInit) =>
    new Promise<Response>((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  const send = createBrowserTransport({
    basePath: '',
    session: { readToken: () => '', storeToken: vi.fn(), clearSession: vi.fn(), clearUser: vi.fn() },
    fetcher: (_, init) => hanging(init),
  });
  const slow = refusal(send(site));
  await vi.advanceTimersByTimeAsync(21_000);
  expect((await slow).code).toBe('TIMEOUT');
  vi.useRealTimers();

  const controller = new AbortController();
  const cancelled = send({ ...site, signal: controller.signal });
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
});
