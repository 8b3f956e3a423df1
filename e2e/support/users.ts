import { randomBytes } from 'node:crypto';
import { type Client, createClient, type Input } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** A user signed in through the API. */
export interface TestUser {
  account: string;
  password: string;
  token: string;
  user: CurrentUser;
  call: Client;
}

interface Session {
  token: string;
}

/** The contract's client over fetch; a failed call throws its code and message. */
export function createApiClient(baseURL: string, session: Session = { token: '' }): Client {
  const call: Client = createClient(async ({ method, path, input, route }) => {
    const url = new URL(`/api/${path}`, baseURL);
    const hasBody = method === 'POST' || method === 'PUT';
    if (!hasBody) {
      for (const [name, value] of Object.entries(input)) url.searchParams.set(name, String(value));
    }
    const headers = { token: session.token, ...(hasBody && { 'content-type': 'application/json' }) };
    const response = await fetch(url, { method, headers, ...(hasBody && { body: JSON.stringify(input) }) });
    const answer = await response.json();
    // All tests share one IP address, and some of them fail to sign in.
    if (answer.errorCode === 'CHALLENGE_REQUIRED' && route === 'POST core/account/login')
      return call(route, { ...input, ...(await fetchSolvedChallenge(call)) } as Input<typeof route>);
    if (!answer.success) throw new Error(`${route}：${answer.errorCode} ${answer.errorMessage}`);
    session.token = response.headers.get('token') ?? session.token;
    return answer.data;
  });
  return call;
}

export async function register(
  baseURL: string,
  fields: { displayName?: string; inviteCode?: string } = {},
): Promise<TestUser> {
  const session: Session = { token: '' };
  const call = createApiClient(baseURL, session);
  const account = `e2e-${randomBytes(6).toString('hex')}`;
  const password = `pw-${randomBytes(8).toString('hex')}`;
  const challenge = await fetchSolvedChallenge(call);
  const user = await call('POST core/user/', { account, password, ...challenge, ...fields });
  return { account, password, token: session.token, user, call };
}

export async function signIn(
  baseURL: string,
  { account, password }: { account: string; password: string },
): Promise<TestUser> {
  const session: Session = { token: '' };
  const call = createApiClient(baseURL, session);
  const user = await call('POST core/account/login', { account, password });
  return { account, password, token: session.token, user, call };
}

/** Solves the proof-of-work challenge, if the server requires one. */
async function fetchSolvedChallenge(call: Client): Promise<{ challenge?: string }> {
  const { enabled, challenge } = await call('GET core/account/challenge', {});
  if (!enabled || challenge === null) return {};
  const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
  if (solution === null) throw new Error('the challenge was not solved');
  return { challenge: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') };
}

let sessionCount = 0;

/** Signs the user in on the next page that the browser loads: quicker than a page of its own to store the session. */
export async function storeSession(page: Page, { token, user }: TestUser): Promise<void> {
  const { id, headImg, displayName, curIdentity } = user;
  sessionCount += 1;
  await page.context().addInitScript(
    ([number, token, currentUser]) => {
      // Frames may have no storage.
      if (self !== top || !location.protocol.startsWith('http')) return;
      // Once, because the page may sign out.
      if (Number(localStorage.getItem('test session')) >= number) return;
      localStorage.setItem('test session', String(number));
      localStorage.setItem('token', token);
      localStorage.setItem('currentUser', currentUser);
    },
    [sessionCount, token, JSON.stringify({ id, headImg, displayName, curIdentity })] as const,
  );
}

/** Signs out without the server, like a reader who clears the browser's data. */
export const dropSession = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const key of ['token', 'currentUser']) localStorage.removeItem(key);
  });

export async function choosePassword(page: Page): Promise<void> {
  const tab = page.getByRole('tab', { name: '密码登录' });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}
