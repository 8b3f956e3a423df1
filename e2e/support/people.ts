import { randomBytes } from 'node:crypto';
import { type Client, createClient, type Input } from '@mozhan/contract/client.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { expect, type Page } from '@playwright/test';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** Someone signed in through the API, with the calls they can make. */
export interface Person {
  account: string;
  password: string;
  token: string;
  user: CurrentUser;
  call: Client;
}

interface Session {
  token: string;
}

/** The contract's client over fetch; a refused call throws its code and sentence. */
export function connect(baseURL: string, session: Session = { token: '' }): Client {
  const call: Client = createClient(async ({ method, path, input, route }) => {
    const url = new URL(`/api/${path}`, baseURL);
    const hasBody = method === 'POST' || method === 'PUT';
    if (!hasBody) {
      for (const [name, value] of Object.entries(input)) url.searchParams.set(name, String(value));
    }
    const headers = { token: session.token, ...(hasBody && { 'content-type': 'application/json' }) };
    const response = await fetch(url, { method, headers, ...(hasBody && { body: JSON.stringify(input) }) });
    const answer = await response.json();
    // All tests share one address, and some of them fail to sign in.
    if (answer.errorCode === 'CHALLENGE_REQUIRED' && route === 'POST core/account/login')
      return call(route, { ...input, ...(await solve(call)) } as Input<typeof route>);
    if (!answer.success) throw new Error(`${route}：${answer.errorCode} ${answer.errorMessage}`);
    session.token = response.headers.get('token') ?? session.token;
    return answer.data;
  });
  return call;
}

/** A new reader; `displayName` and so on as given. */
export async function register(
  baseURL: string,
  fields: { displayName?: string; inviteCode?: string } = {},
): Promise<Person> {
  const session: Session = { token: '' };
  const call = connect(baseURL, session);
  const account = `e2e-${randomBytes(6).toString('hex')}`;
  const password = `pw-${randomBytes(8).toString('hex')}`;
  const challenge = await solve(call);
  const user = await call('POST core/user/', { account, password, ...challenge, ...fields });
  return { account, password, token: session.token, user, call };
}

export async function signIn(
  baseURL: string,
  { account, password }: { account: string; password: string },
): Promise<Person> {
  const session: Session = { token: '' };
  const call = connect(baseURL, session);
  const user = await call('POST core/account/login', { account, password });
  return { account, password, token: session.token, user, call };
}

/** The answer to a proof-of-work challenge, or nothing where the server asks for none. */
async function solve(call: Client): Promise<{ challenge?: string }> {
  const { enabled, challenge } = await call('GET core/account/challenge', {});
  if (!enabled || challenge === null) return {};
  const solution = await solveChallenge({ challenge: challenge as unknown as Challenge, deriveKey });
  if (solution === null) throw new Error('the challenge was not solved');
  return { challenge: Buffer.from(JSON.stringify({ challenge, solution })).toString('base64') };
}

/** Puts the person's session where the site keeps it. The page ends up elsewhere: go to the one under test next. */
export async function enterAs(page: Page, { token, user }: Person): Promise<void> {
  const { id, headImg, displayName, curIdentity } = user;
  await page.goto('/healthz');
  await page.evaluate(
    ([token, currentUser]) => {
      localStorage.setItem('token', token);
      localStorage.setItem('currentUser', currentUser);
    },
    [token, JSON.stringify({ id, headImg, displayName, curIdentity })] as const,
  );
}

/** A click that comes before the page is taken over does nothing; people click again. */
export async function choosePassword(page: Page): Promise<void> {
  const tab = page.getByRole('tab', { name: '密码登录' });
  await expect(async () => {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true', { timeout: 1000 });
  }).toPass();
}
