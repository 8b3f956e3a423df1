import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { ADMIN_PASSWORD } from './servers.ts';

/** Signs in as the initial administrator and returns the token. */
export async function signInAdmin(url: string): Promise<string> {
  const response = await fetch(`${url}/api/core/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'admin', password: ADMIN_PASSWORD }),
  });
  const token = response.headers.get('token');
  if (token === null) throw new Error(`the administrator cannot sign in: ${response.status}`);
  return token;
}

/** Creates users with a session each and returns their tokens. */
export async function createUsers(client: pg.Client, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  await client.query(
    `with given as (
       select hash, at, gen_random_uuid() as user_id, gen_random_uuid() as session_id
       from unnest($1::bytea[]) with ordinality as given (hash, at)
     ), people as (
       insert into users (id, display_name, invite_code, created_at, updated_at)
       select user_id, '读者' || at, 'bench-' || at, now(), now() from given
     ), named as (
       insert into accounts (user_id, name, password_hash, updated_at)
       select user_id, 'bench-' || at, '', now() from given
     ), begun as (
       insert into sessions (id, user_id, via, device, address, region, created_at, renewed_at, used_at)
       select session_id, user_id, 'password', '', '', '', now(), now(), now() from given
     )
     insert into session_tokens (hash, session_id, issued_at, used_at, expires_at)
     select hash, session_id, now(), now(), now() + interval '1 day' from given`,
    [tokens.map((token) => createHash('sha256').update(token).digest())],
  );
  await client.query('analyze');
  return tokens;
}

/** Creates a session for an existing user and returns its token. */
export async function signIn(client: pg.Client, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await client.query(
    `with begun as (
       insert into sessions (id, user_id, via, device, address, region, created_at, renewed_at, used_at)
       values (gen_random_uuid(), $1, 'password', '', '', '', now(), now(), now()) returning id
     )
     insert into session_tokens (hash, session_id, issued_at, used_at, expires_at)
     select $2, id, now(), now(), now() + interval '1 day' from begun`,
    [userId, createHash('sha256').update(token).digest()],
  );
  return token;
}
