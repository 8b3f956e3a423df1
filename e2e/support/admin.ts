import { type Person, signIn } from './people.ts';
import { ADMIN } from './server.ts';

const sessions = new Map<string, Promise<Person>>();

/** The administrator of a site, in one session for all tests of a worker. */
export function getAdmin(baseURL: string): Promise<Person> {
  const admin = keepSignedIn(baseURL, sessions.get(baseURL));
  sessions.set(baseURL, admin);
  return admin;
}

async function keepSignedIn(baseURL: string, kept?: Promise<Person>): Promise<Person> {
  const admin = await kept;
  // A test may have ended the session.
  return admin !== undefined && (await isSignedIn(admin)) ? admin : signIn(baseURL, ADMIN);
}

const isSignedIn = ({ call }: Person): Promise<boolean> =>
  call('GET core/user/', {}).then(
    () => true,
    () => false,
  );
