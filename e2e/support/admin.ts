import { ADMIN } from './server.ts';
import { signIn, type TestUser } from './users.ts';

const sessions = new Map<string, Promise<TestUser>>();

/** The administrator of a site; all tests of a worker share one session. */
export function getAdmin(baseURL: string): Promise<TestUser> {
  const admin = ensureSignedIn(baseURL, sessions.get(baseURL));
  sessions.set(baseURL, admin);
  return admin;
}

async function ensureSignedIn(baseURL: string, previous?: Promise<TestUser>): Promise<TestUser> {
  const admin = await previous;
  // A test may have ended the session.
  return admin !== undefined && (await isSignedIn(admin)) ? admin : signIn(baseURL, ADMIN);
}

const isSignedIn = ({ call }: TestUser): Promise<boolean> =>
  call('GET core/user/', {}).then(
    () => true,
    () => false,
  );
