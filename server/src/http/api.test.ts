import { randomUUID } from 'node:crypto';
import { createConnection } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { calls } from '@mozhan/contract/calls.ts';
import { isStaffCall } from '@mozhan/contract/define.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, portOf, startTestApp, type TestApp, uniqueName } from '../testing/app.ts';
import { createWriter, publishEssay } from '../testing/essays.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const inject = (method: string, url: string, options: object = {}) =>
  t.app.server.inject({ method: method as 'GET', url, ...options });

test('binds exactly the calls of the contract', async () => {
  const document = (await inject('GET', '/api/openapi.json')).json();
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(calls.map((call) => `${call.method} /api/${call.path}`).sort());
});

test.each(
  calls.filter((call) => call.access !== 'anyone').map((call) => [call.method, call.path, call] as const),
)('%s %s rejects unauthorised callers before validating the input', async (method, path, call) => {
  const visitor = await inject(method, `/api/${path}`, method === 'GET' ? {} : { payload: { id: 7 } });
  expect(visitor.statusCode).toBe(401);
  expect(visitor.json()).toMatchObject({ success: false, errorCode: 'SIGN_IN_REQUIRED' });
  if (!isStaffCall(call)) return;
  const { token } = await t.register();
  const stranger = await inject(method, `/api/${path}`, {
    headers: { token },
    ...(method === 'GET' ? {} : { payload: { id: 7 } }),
  });
  expect(stranger.statusCode).toBe(403);
  expect(stranger.json()).toMatchObject({ success: false, errorCode: 'FORBIDDEN' });
});

test('ignores a trailing slash, a timestamp and unknown parameters', async () => {
  const urls = ['/api/core/site/', '/api/core/site', '/api/core/site/?t=1700000000000&utm=x'];
  for (const url of urls) expect((await inject('GET', url)).json().success).toBe(true);
});

test('returns envelopes with 404 for unknown paths and 405 for other methods', async () => {
  const unknown = await inject('GET', '/api/core/nothing');
  expect(unknown.statusCode).toBe(404);
  expect(unknown.json()).toMatchObject({
    success: false,
    errorCode: 'NOT_FOUND',
    errorMessage: '没有这个接口',
  });
  const other = await inject('DELETE', '/api/core/site/');
  expect(other.statusCode).toBe(405);
  expect(other.headers.allow).toBe('GET, HEAD');
  expect(other.json()).toMatchObject({ success: false, errorCode: 'METHOD_NOT_ALLOWED' });
});

test('HEAD returns no body', async () => {
  const response = await inject('HEAD', '/api/core/site/');
  expect(response.statusCode).toBe(200);
  expect(response.body).toBe('');
});

test('every response has a request id, no-store and security headers', async () => {
  for (const url of ['/api/core/site/', '/api/core/nothing']) {
    const { headers } = await inject('GET', url);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("script-src 'self'");
  }
});

test('returns 400 for malformed bodies, 413 for large ones and 415 for unknown types', async () => {
  const post = (payload: string, type: string) =>
    inject('POST', '/api/core/user/', { payload, headers: { 'content-type': type } });
  const cases = [
    [await post('{"account":', 'application/json'), 400, 'MALFORMED'],
    [await post('[1,2]', 'application/json'), 400, 'MALFORMED'],
    [await post('"text"', 'application/json'), 400, 'MALFORMED'],
    [await post('{"__proto__":{"x":1}}', 'application/json'), 400, 'MALFORMED'],
    [await post(`{"account":"${'a'.repeat(1_100_000)}"}`, 'application/json'), 413, 'TOO_LARGE'],
    [await post('<account/>', 'application/xml'), 415, 'UNSUPPORTED_TYPE'],
    [await post('', 'application/json'), 422, 'INVALID'],
  ] as const;
  for (const [response, status, errorCode] of cases) {
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({
      success: false,
      errorCode,
      errorMessage: expect.stringMatching(/[一-鿿]/),
    });
  }
});

test('converts numbers in a query, but not in JSON', async () => {
  const token = await t.signInAdmin();
  const list = await inject('GET', '/api/core/sys/user/?page=1&pageSize=2', { headers: { token } });
  expect(list.json().data.pageSize).toBe(2);
  const { user } = await t.register();
  const update = await inject('PUT', '/api/core/sys/user/', {
    headers: { token },
    payload: { id: user.id, curIdentity: '2' },
  });
  expect(update.statusCode).toBe(422);
});

test('an internal error returns a request id without details', async () => {
  const { token, user } = await t.register();
  await t.app.services.pool.query(`update users set notify = '"broken"' where id = $1`, [user.id]);
  const { pool } = t.app.services;
  await pool.query('alter table notices rename to notices_gone');
  try {
    const response = await inject('GET', '/api/core/user/notice', { headers: { token } });
    expect(response.statusCode).toBe(500);
    const body = response.json();
    expect(body).toEqual({
      success: false,
      errorCode: 'INTERNAL',
      errorMessage: '服务器出错了，请稍后再试',
      showType: 2,
      requestId: response.headers['x-request-id'],
    });
  } finally {
    await pool.query('alter table notices_gone rename to notices');
  }
});

test('a repeated requestId returns the first result without running again', async () => {
  const { token } = await t.register();
  const requestId = randomUUID();
  const put = (bio: string, id = requestId) => t.call('PUT core/user/', { bio, requestId: id }, { token });
  const first = await put('第一次');
  await put('中间', randomUUID());
  const again = await put('第一次');
  expect(again.data).toEqual(first.data);
  expect((await t.call('GET core/user/', {}, { token })).data).toMatchObject({ bio: '中间' });
});

test('returns 409 for the same requestId with other content or another call', async () => {
  const { token } = await t.register();
  const requestId = randomUUID();
  await t.call('PUT core/user/', { bio: '一', requestId }, { token });
  const other = await t.call('PUT core/user/', { bio: '二', requestId }, { token });
  expect(other).toMatchObject({ status: 409, errorCode: 'REQUEST_ID_REUSED' });
  const call = await t.call('PUT core/user/notice', { all: true, requestId }, { token });
  expect(call).toMatchObject({ status: 409, errorCode: 'REQUEST_ID_REUSED' });
  const essayId = await publishEssay(t, await createWriter(t));
  const equal = { essayId, requestId: randomUUID() };
  expect((await t.call('POST core/essay/like', equal, { token })).success).toBe(true);
  expect((await t.call('POST core/essay/collect', equal, { token })).errorCode).toBe('REQUEST_ID_REUSED');
});

test('concurrent repeats wait for the first, and the call runs once', async () => {
  const token = await t.signInAdmin();
  const { user } = await t.register();
  const requestId = randomUUID();
  const change = () => t.call('PUT core/sys/user/', { id: user.id, curIdentity: 2, requestId }, { token });
  const responses = await Promise.all([change(), change(), change(), change()]);
  expect(responses.map((response) => response.data.curIdentity)).toEqual([2, 2, 2, 2]);
  const log = await t.call('GET core/sys/log/', { pageSize: 100 }, { token });
  expect(log.data.list.filter((entry) => entry.target === `user:${user.id}`)).toHaveLength(1);
});

test('a requestId does not bypass sign-in limits, and no response of a secret call is stored', async () => {
  const [attacker, victim] = [await t.register(), await t.register()];
  const attemptSignIn = () =>
    t.call(
      'POST core/account/login',
      { account: victim.user.account, password: 'a wild guess', requestId: randomUUID() },
      { token: attacker.token, address: '203.0.113.77' },
    );
  const responses = [];
  for (let i = 0; i < 21; i++) responses.push(await attemptSignIn());
  expect(responses.at(-1)).toMatchObject({ status: 429, errorCode: 'ACCOUNT_LOCKED' });
  const { rows } = await t.app.services.pool.query('select 1 from requests where user_id = $1', [
    attacker.user.id,
  ]);
  expect(rows).toEqual([]);
});

test('a requestId can be reused after a failure, by another user and after a day', async () => {
  const requestId = randomUUID();
  const [one, two] = [await t.register(), await t.register()];
  const put = (token: string, bio: unknown) =>
    t.call('PUT core/user/', { bio, requestId } as object, { token });
  expect((await put(one.token, 7)).status).toBe(422);
  expect((await put(one.token, '好')).success).toBe(true);
  expect((await put(two.token, '别的')).success).toBe(true);
  t.advance(25 * 3600_000);
  expect((await put(one.token, '改了')).data).toMatchObject({ bio: '改了' });
});

test('rejects a requestId that is not a short text', async () => {
  const { token } = await t.register();
  for (const requestId of ['x'.repeat(65), 5, {}, 'a\u0000']) {
    const response = await t.call('PUT core/user/', { bio: '好', requestId } as object, { token });
    expect(response).toMatchObject({ status: 422, fields: { requestId: expect.any(String) } });
  }
});

test('the documentation page lists every call and runs no script', async () => {
  const response = await inject('GET', '/api/docs');
  expect(response.headers['content-type']).toContain('text/html');
  for (const call of calls) expect(response.body).toContain(`/api/${call.path.replace(/\/$/, '')}`);
  expect(response.body).not.toContain('<script');
});

test('the OpenAPI document is 3.1 and lists the error codes', async () => {
  const document = (await inject('GET', '/api/openapi.json')).json();
  expect(document.openapi).toBe('3.1.0');
  const referred = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
  expect(JSON.stringify(document)).not.toContain('$defs');
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining([...new Set(referred.map((match) => match[1]))]),
  );
  expect(document.components.schemas.Failure.properties.errorCode.enum).toContain('ACCOUNT_TAKEN');
  const { post, put } = document.paths['/api/core/user/'];
  const bodyOf = (operation: {
    requestBody: { content: Record<string, { schema: { properties: object; required?: string[] } }> };
  }) => operation.requestBody.content['application/json']?.schema;
  expect(bodyOf(post)?.required).toEqual(['account', 'password']);
  expect(bodyOf(post)?.properties).not.toHaveProperty('requestId');
  expect(bodyOf(put)?.properties).toHaveProperty('requestId');
});

test('serves health and readiness to everyone, and metrics to this machine or with the token', async () => {
  expect((await inject('GET', '/healthz')).json()).toEqual({ status: 'ok' });
  expect((await inject('GET', '/readyz')).json()).toEqual({ status: 'ok' });
  expect((await inject('GET', '/metrics')).body).toContain('http_request_duration_seconds');
  const remote = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect((await inject('GET', '/metrics', remote)).statusCode).toBe(403);
  const guarded = await startTestApp({ config: { metricsToken: 'a long enough token' } });
  const requestMetrics = (authorization: string) =>
    guarded.app.server.inject({
      url: '/metrics',
      headers: { authorization, 'x-forwarded-for': '203.0.113.9' },
    });
  expect((await requestMetrics('Bearer a long enough token')).statusCode).toBe(200);
  expect((await requestMetrics('Bearer another token....')).statusCode).toBe(403);
  await guarded.close();
});

test('everything works below a base path', async () => {
  const based = await startTestApp({ config: { basePath: '/blog', siteUrl: 'http://site.test/blog' } });
  const { user } = await based.register(uniqueName());
  expect(user.id).toBeDefined();
  expect((await based.app.server.inject('/blog/healthz')).statusCode).toBe(200);
  const ticket = await based.call('GET core/user/qrcode/login');
  expect(ticket.data.url).toContain('http://site.test/blog/login.html?ticket=');
  await based.close();
});

test('a malformed URL gets an envelope with security headers', async () => {
  const response = await inject('GET', '/api/core/%');
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({ success: false, errorCode: 'NOT_FOUND' });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
});

test('rejects OPTIONS and multipart bodies, and accepts content types in any case', async () => {
  expect((await inject('OPTIONS', '/api/core/site/')).statusCode).toBe(405);
  const form = await inject('POST', '/api/core/user/', {
    headers: { 'content-type': 'Application/X-WWW-Form-Urlencoded' },
    payload: new URLSearchParams({ account: uniqueName(), password: PASSWORD }).toString(),
  });
  expect(form.json().success).toBe(true);
  const { token } = await t.register();
  const multipart = await inject('PUT', '/api/core/user/', {
    headers: { token, 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nContent-Disposition: form-data; name="bio"\r\n\r\n你好\r\n--x--\r\n',
  });
  expect(multipart.statusCode).toBe(415);
});

test('returns 422 for any invalid cursor', async () => {
  const { token } = await t.register();
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const bad = [['\u0000', '0'.repeat(32)], ['zz'], [7], [], 'text', { a: 1 }].map(encode);
  for (const cursor of [...bad, '???', 'x']) {
    for (const route of ['GET core/user/', 'GET core/user/notice'] as const) {
      const response = await t.call(route, { cursor }, { token });
      expect(response).toMatchObject({ status: 422, fields: { cursor: expect.any(String) } });
    }
  }
});

test('accepts an escaped NUL character as text', async () => {
  const { token } = await t.register();
  const bio = 'JS 里 \\u0000 是空字符';
  expect((await t.call('PUT core/user/', { bio }, { token })).data).toMatchObject({ bio });
});

test('responds with an envelope to data that is not an HTTP request', async () => {
  const own = await startTestApp();
  await own.app.server.listen({ port: 0, host: '127.0.0.1' });
  const send = async (text: string) => {
    const socket = createConnection(portOf(own), '127.0.0.1');
    socket.write(text);
    return await readText(socket);
  };
  const garbage = await send('nonsense\r\n\r\n');
  expect(garbage).toMatch(/^HTTP\/1.1 400 /);
  const large = await send(`GET /api/core/site/ HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1.1 431 /);
  for (const response of [garbage, large]) {
    expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      success: false,
      errorMessage: expect.any(String),
    });
  }
  await own.close();
});
