import { CallError } from '@mozhan/contract/errors.ts';
import { expect, test } from 'vitest';
import { describeFailure, needsSignIn } from './failures.ts';
import { RequestError } from './http.ts';

const answered = (name: 'HttpError' | 'BizError', status: number, data?: unknown) =>
  new RequestError(name, name === 'HttpError' ? 'http error' : '', {
    url: '/api/core/x?t=1',
    response: new Response(null, { status, statusText: 'Teapot' }),
    data,
  });
const refused = (showType?: number, rest: object = { errorCode: 'NO_MONEY', errorMessage: '余额不足' }) =>
  answered('BizError', 200, { success: false, showType, ...rest });

test('showType decides how a refusal is shown', () => {
  expect(describeFailure(refused(0))).toEqual({ show: 'nothing' });
  expect(describeFailure(refused(1))).toEqual({ show: 'message', tone: 'warn', text: '余额不足' });
  expect(describeFailure(refused(2))).toEqual({ show: 'message', tone: 'bad', text: '余额不足' });
  expect(describeFailure(refused(4))).toEqual({ show: 'notice', title: 'NO_MONEY', text: '余额不足' });
  expect(describeFailure(refused(9))).toEqual({ show: 'page', code: 'NO_MONEY', message: '余额不足' });
});

test('the same goes for a call of the contract, whatever its status', () => {
  const call = (showType: 0 | 1 | 2 | 4 | 9) => new CallError('FORBIDDEN', { message: '不行', showType });
  expect(describeFailure(call(0))).toEqual({ show: 'nothing' });
  expect(describeFailure(call(1))).toMatchObject({ tone: 'warn', text: '不行' });
  expect(describeFailure(call(4))).toEqual({ show: 'notice', title: 'FORBIDDEN', text: '不行' });
  expect(describeFailure(call(9))).toEqual({ show: 'page', code: 'FORBIDDEN', message: '不行' });
  expect(describeFailure(answered('HttpError', 403, { success: false, errorMessage: '不行' }))).toEqual({
    show: 'message',
    tone: 'bad',
    text: '不行',
  });
});

test('a refusal that does not say how is a notice with its code, and without one a plain message', () => {
  expect(describeFailure(refused())).toEqual({
    show: 'notice',
    title: '请求错误 NO_MONEY',
    text: '余额不足',
  });
  expect(describeFailure(refused(undefined, {}))).toEqual({
    show: 'message',
    tone: 'bad',
    text: '请求出错，请重试。',
  });
});

test('an answer without words is told by its status', () => {
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
    expect(describeFailure(answered('HttpError', status))).toEqual({
      show: 'notice',
      title: `请求错误 ${status}: /api/core/x`,
      text: expect.stringMatching(text),
    });
  }
  const cause = answered('HttpError', 502);
  expect(describeFailure(new CallError('UNAVAILABLE', { cause }))).toMatchObject({
    title: '请求错误 502: /api/core/x',
  });
});

test('no answer, no sense, no time', () => {
  const failed = (name: 'Timeout' | 'ParseError' | 'NetworkError') =>
    describeFailure(new RequestError(name, 'timeout of 3ms exceeded', { url: '/x' }));
  expect(failed('Timeout')).toMatchObject({ show: 'message', text: 'timeout of 3ms exceeded' });
  expect(failed('ParseError')).toMatchObject({ text: /无法解析/ });
  expect(failed('NetworkError')).toMatchObject({ text: /网络/ });
  expect(describeFailure(new TypeError('x is undefined'))).toMatchObject({ text: '请求出错，请重试。' });
});

test('only the want of a session leads to the login page', () => {
  expect(needsSignIn(new CallError('SIGN_IN_REQUIRED'))).toBe(true);
  expect(needsSignIn(new CallError('WRONG_PASSWORD'))).toBe(false);
  expect(needsSignIn(answered('HttpError', 401))).toBe(true);
  expect(needsSignIn(answered('HttpError', 401, { success: false, errorCode: 'SIGN_IN_REQUIRED' }))).toBe(
    true,
  );
  expect(needsSignIn(answered('HttpError', 401, { success: false, errorCode: 'WRONG_TOTP' }))).toBe(false);
  expect(needsSignIn(answered('HttpError', 403))).toBe(false);
  expect(needsSignIn(new Error('no'))).toBe(false);
});
