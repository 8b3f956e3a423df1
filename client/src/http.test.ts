import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHttp, type HttpOptions, httpMethods, RequestError } from './http.ts';

let token = '';
const session = {
  readToken: () => token,
  storeToken: vi.fn((next: string) => {
    token = next;
  }),
  clearSession: vi.fn(() => {
    token = '';
  }),
  clearUser: vi.fn(),
};

beforeEach(() => {
  token = '';
  vi.clearAllMocks();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp(answer: (init: RequestInit) => Response | Promise<Response>) {
  const fetcher = vi.fn<typeof fetch>(async (_url, init = {}) => await answer(init));
  const onError = vi.fn();
  const http = createHttp({ basePath: '/blog', session, fetcher, onError });
  const sent = (index = 0) => {
    const [url, init = {}] = fetcher.mock.calls[index] ?? [];
    return { url: new URL(String(url), 'http://site'), init, headers: new Headers(init.headers) };
  };
  return { http, fetcher, onError, sent };
}

const ok = (data: unknown = 1) => Response.json({ success: true, data });

async function failure(request: Promise<unknown>): Promise<RequestError> {
  const error = await request.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

test('sends all eight methods with same-origin credentials and a timestamp', async () => {
  const { http, sent, fetcher } = setUp(() => ok());
  for (const method of httpMethods) await http[method]('core/site/');
  const used = fetcher.mock.calls.map((_, index) => sent(index).init.method);
  expect(used).toEqual(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'POST']);
  for (let index = 0; index < httpMethods.length; index++) {
    expect(sent(index).url.pathname).toBe('/blog/api/core/site/');
    expect(Number(sent(index).url.searchParams.get('t'))).toBeGreaterThan(0);
    expect(sent(index).init.credentials).toBe('same-origin');
  }
});

test('encodes arrays as repeated keys, dates as ISO, objects as JSON, and omits missing values', async () => {
  const { http, sent } = setUp(() => ok());
  const at = new Date('2026-11-15T08:00:00Z');
  await http.get('x', {
    params: { tag: ['甲', '乙'], at, when: [at], filter: { a: 1 }, no: null, none: undefined },
  });
  const { searchParams } = sent().url;
  expect(searchParams.getAll('tag')).toEqual(['甲', '乙']);
  expect(searchParams.get('at')).toBe('2026-11-15T08:00:00.000Z');
  expect(searchParams.get('when')).toBe('2026-11-15T08:00:00.000Z');
  expect(searchParams.get('filter')).toBe('{"a":1}');
  expect(searchParams.has('no') || searchParams.has('none')).toBe(false);
});

test('sends objects as JSON or form-encoded, and other bodies unchanged', async () => {
  const { http, sent } = setUp(() => ok());
  await http.post('x', { data: { name: '林砚' } });
  await http.put('x', { data: ['a'] });
  await http.post('x', { data: { name: '林砚', tag: ['a', 'b'] }, requestType: 'form' });
  const file = new FormData();
  await http.post('x', { data: file });
  expect(sent(0).init.body).toBe('{"name":"林砚"}');
  expect(sent(0).headers.get('content-type')).toBe('application/json;charset=UTF-8');
  expect(sent(1).init.body).toBe('["a"]');
  expect(sent(2).init.body).toBe(`name=${encodeURIComponent('林砚')}&tag=a&tag=b`);
  expect(sent(2).headers.get('content-type')).toMatch('application/x-www-form-urlencoded');
  expect(sent(3).init.body).toBe(file);
  expect(sent(3).headers.get('content-type')).toBeNull();
});

test('sends the token and stores the one in the response', async () => {
  token = 'mine';
  const { http, sent } = setUp(() => Response.json({ success: true }, { headers: { token: 'next' } }));
  await http.get('x');
  expect(sent().headers.get('token')).toBe('mine');
  expect(token).toBe('next');
  await http.get('x');
  expect(sent(1).headers.get('token')).toBe('next');
});

test('ignores the token of a response to a request with an old token', async () => {
  token = 'old';
  const { http } = setUp(() => {
    token = 'new';
    return Response.json({ success: true }, { headers: { token: '' } });
  });
  await http.get('x');
  expect(token).toBe('new');
});

test("caches a visitor's GET for a minute when the caller allows it", async () => {
  vi.useFakeTimers();
  const { http, fetcher } = setUp(() => ok());
  const ask = (options: HttpOptions = {}) => http.get('x', { params: { a: 1 }, useCache: true, ...options });
  await ask();
  await ask();
  expect(fetcher).toHaveBeenCalledTimes(1);
  await http.get('x', { params: { a: 1 } });
  await ask({ params: { a: 2 } });
  expect(fetcher).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(60_001);
  await ask();
  expect(fetcher).toHaveBeenCalledTimes(4);
  await ask({ params: { b: 1 }, ttl: 1000 });
  vi.advanceTimersByTime(1001);
  await ask({ params: { b: 1 }, ttl: 1000 });
  expect(fetcher).toHaveBeenCalledTimes(6);
});

test('caches nothing for signed-in users, when a token arrives meanwhile, or for writes', async () => {
  const { http, fetcher } = setUp(() => ok());
  token = 'mine';
  await http.get('x', { useCache: true });
  await http.get('x', { useCache: true });
  expect(fetcher).toHaveBeenCalledTimes(2);
  token = '';
  await http.post('x', { useCache: true });
  await http.post('x', { useCache: true });
  expect(fetcher).toHaveBeenCalledTimes(4);
  await http.get('x', { useCache: true });
  token = 'mine';
  await http.get('x', { useCache: true });
  expect(fetcher).toHaveBeenCalledTimes(6);
});

test('reports a timeout with the default or a custom message', async () => {
  vi.useFakeTimers();
  const { http } = setUp(
    (init) =>
      new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      }),
  );
  const plain = failure(http.get('x', { timeout: 3000 }));
  const worded = failure(http.get('x', { timeout: 3000, timeoutMessage: '太慢了' }));
  await vi.advanceTimersByTimeAsync(3000);
  expect(await plain).toMatchObject({ name: 'Timeout', message: 'timeout of 3000ms exceeded' });
  expect((await worded).message).toBe('太慢了');
});

test('throws ParseError for a body that is not JSON', async () => {
  const { http } = setUp(() => new Response('<html>'));
  expect(await failure(http.get('x'))).toMatchObject({ name: 'ParseError', data: '<html>' });
});

test('throws HttpError with the response body for an error status', async () => {
  const { http } = setUp(() => Response.json({ success: false, errorCode: 'GONE' }, { status: 410 }));
  const error = await failure(http.get('x'));
  expect(error).toMatchObject({ name: 'HttpError', message: 'http error', data: { errorCode: 'GONE' } });
  expect(error.response?.status).toBe(410);
  const page = setUp(() => new Response('bad gateway', { status: 502 }));
  expect(await failure(page.http.get('x'))).toMatchObject({ name: 'HttpError', data: undefined });
});

test('throws BizError with the message for a refusal with status 200', async () => {
  const { http } = setUp(() => Response.json({ success: false, errorCode: 'NO', errorMessage: '余额不足' }));
  expect(await failure(http.post('x'))).toMatchObject({ name: 'BizError', message: '余额不足' });
});

test('returns text and blob responses unchanged', async () => {
  const { http } = setUp(() => new Response('a,b'));
  expect(await http.get('x', { responseType: 'text' })).toBe('a,b');
  expect(await http.get('x', { responseType: 'blob' })).toBeInstanceOf(Blob);
});

test('returns null for a response without a body', async () => {
  const { http } = setUp(() => new Response(null, { status: 204 }));
  expect(await http.delete('x')).toBeNull();
  const head = setUp(() => new Response(null));
  expect(await head.http.head('x')).toBeNull();
});

test('calls the error handler unless the call skips it or was cancelled', async () => {
  const { http, onError } = setUp(() => new Response('', { status: 500 }));
  await failure(http.get('x', { skipErrorHandler: true }));
  expect(onError).not.toHaveBeenCalled();
  const error = await failure(http.get('x'));
  expect(onError).toHaveBeenCalledWith(error);

  const hanging = setUp(
    (init) =>
      new Promise((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      }),
  );
  const controller = new AbortController();
  const cancelled = hanging.http.get('x', { signal: controller.signal });
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  expect(hanging.onError).not.toHaveBeenCalled();
});
