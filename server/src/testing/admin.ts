import type { Input, RouteName } from '@mozhan/contract/client.ts';
import type { CallResponse, TestApp } from './app.ts';

const tokens = new WeakMap<TestApp, string>();

/** Reuses one session per app and signs in again when a test has ended the session or moved the clock past its end. */
export async function callAsAdmin<R extends RouteName>(
  t: TestApp,
  route: R,
  input: Input<R>,
): Promise<CallResponse<R>> {
  const cachedToken = tokens.get(t);
  if (cachedToken !== undefined) {
    const response = await t.call(route, input, { token: cachedToken });
    if (response.status !== 401) return response;
  }
  const token = await t.signInAdmin();
  tokens.set(t, token);
  return t.call(route, input, { token });
}
