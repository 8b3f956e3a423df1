import { CallError } from '@mozhan/contract/errors.ts';
import { expect, test } from 'vitest';
import { describeError, needsSignIn } from './error-display.ts';
import { RequestError } from './http.ts';

const requestError = (name: 'HttpError' | 'BizError', status: number, data?: unknown) =>
  new RequestError(name, name === 'HttpError' ? 'http error' : '', {
    url: '/api/core/x?t=1',
    response: new Response(null, { status, statusText: 'Teapot' }),
    data,
  });
const refusedRequest = (
  showType?: number,
  rest: object = { errorCode: 'NO_MONEY', errorMessage: '余额不足' },
) => requestError('BizError', 200, { success: false, showType, ...rest });

test('showType decides how an error is displayed', () => {
  expect(describeError(refusedRequest(0))).toEqual({ show: 'nothing' });
  expect(describeError(refusedRequest(1))).toEqual({ show: 'message', tone: 'warn', text: '余额不足' });
  expect(describeError(refusedRequest(2))).toEqual({ show: 'message', tone: 'bad', text: '余额不足' });
  expect(describeError(refusedRequest(4))).toEqual({ show: 'notice', title: 'NO_MONEY', text: '余额不足' });
  expect(describeError(refusedRequest(9))).toEqual({ show: 'page', code: 'NO_MONEY', message: '余额不足' });
});

test('showType applies to a CallError of any status', () => {
  const call = (showType: 0 | 1 | 2 | 4 | 9) => new CallError('FORBIDDEN', { message: '不行', showType });
  expect(describeError(call(0))).toEqual({ show: 'nothing' });
  expect(describeError(call(1))).toMatchObject({ tone: 'warn', text: '不行' });
  expect(describeError(call(4))).toEqual({ show: 'notice', title: 'FORBIDDEN', text: '不行' });
  expect(describeError(call(9))).toEqual({ show: 'page', code: 'FORBIDDEN', message: '不行' });
  expect(describeError(requestError('HttpError', 403, { success: false, errorMessage: '不行' }))).toEqual({
    show: 'message',
    tone: 'bad',
    text: '不行',
  });
});

test('an error without showType is a notice with its code, or a plain message without a code', () => {
  expect(describeError(refusedRequest())).toEqual({
    show: 'notice',
    title: '请求错误 NO_MONEY',
    text: '余额不足',
  });
  expect(describeError(refusedRequest(undefined, {}))).toEqual({
    show: 'message',
    tone: 'bad',
    text: '请求出错，请重试。',
  });
});

test('a response without an error message is described by its status', () => {
  const table: [status: number, text: RegExp][] = [
    [201, /新建或修改/],
    [400, /没有新建或修改/],
    [401, /令牌、用户名或密码/],
    [403, /不允许/],
    [404, /不存在/],
    [405, /请求方法/],
    [406, /格式/],
    [409, /更新/],
    [410, /永久删除/],
    [413, /太大/],
    [422, /校验/],
    [429, /频繁/],
    [500, /服务器出错/],
    [502, /网关错误/],
    [503, /过载或正在维护/],
    [504, /网关超时/],
    [418, /^Teapot$/],
  ];
  for (const [status, text] of table) {
    expect(describeError(requestError('HttpError', status))).toEqual({
      show: 'notice',
      title: `请求错误 ${status}: /api/core/x`,
      text: expect.stringMatching(text),
    });
  }
  const cause = requestError('HttpError', 502);
  expect(describeError(new CallError('UNAVAILABLE', { cause }))).toMatchObject({
    title: '请求错误 502: /api/core/x',
  });
});

test('describes timeouts, unreadable responses, network failures and unknown errors', () => {
  const failed = (name: 'Timeout' | 'ParseError' | 'NetworkError') =>
    describeError(new RequestError(name, 'timeout of 3ms exceeded', { url: '/x' }));
  expect(failed('Timeout')).toMatchObject({ show: 'message', text: 'timeout of 3ms exceeded' });
  expect(failed('ParseError')).toMatchObject({ text: /无法解析/ });
  expect(failed('NetworkError')).toMatchObject({ text: /网络/ });
  expect(describeError(new TypeError('x is undefined'))).toMatchObject({ text: '请求出错，请重试。' });
});

test('only a missing session leads to the login page', () => {
  expect(needsSignIn(new CallError('SIGN_IN_REQUIRED'))).toBe(true);
  expect(needsSignIn(new CallError('WRONG_PASSWORD'))).toBe(false);
  expect(needsSignIn(requestError('HttpError', 401))).toBe(true);
  expect(needsSignIn(requestError('HttpError', 401, { success: false, errorCode: 'SIGN_IN_REQUIRED' }))).toBe(
    true,
  );
  expect(needsSignIn(requestError('HttpError', 401, { success: false, errorCode: 'WRONG_TOTP' }))).toBe(
    false,
  );
  expect(needsSignIn(requestError('HttpError', 403))).toBe(false);
  expect(needsSignIn(new Error('no'))).toBe(false);
});
