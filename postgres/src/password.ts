import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { childOptions } from './guard.ts';
import { EmbeddedError, errorCode } from './lock.ts';
import type { Place } from './place.ts';
import { writeSecretFile } from './secret-file.ts';

/** The role and the database of the application. */
export const NAME = 'mozhan';

/** The superuser is not among those who may connect: only single-user mode, below, uses it. */
const HBA = `# Written by Mozhan, and written again when it is changed.\nlocal all ${NAME} scram-sha-256\n`;
const CLOSED = '# Nobody may connect: the password is being set.\n';

export const passwordFile = (dataDir: string): string => join(dataDir, 'pg.password');

/** Null when there is none, as after it was lost. */
export function findPassword(dataDir: string): string | null {
  try {
    return readFileSync(passwordFile(dataDir), 'utf8').trim() || null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Sets a password where the cluster has none yet or its file was lost; PostgreSQL must not be running. */
export function ensurePassword(dataDir: string, place: Place, settings: Record<string, string>): string {
  const password = findPassword(dataDir);
  const isSet = password !== null && readFileSync(hbaFile(place), 'utf8') === HBA;
  return isSet ? password : resetPassword(dataDir, place, settings);
}

/**
 * Gives the application's role a new password, and makes role and database where they are missing. Whoever owns the
 * cluster may always do this. pg_hba.conf asks for the password only when the file and the role have the same one, so a
 * start that is killed half-way is followed by one that does all of it again.
 */
export function resetPassword(dataDir: string, place: Place, settings: Record<string, string>): string {
  const password = randomBytes(24).toString('base64url');
  writeHba(place, CLOSED);
  writeSecretFile(passwordFile(dataDir), `${password}\n`);
  runSingleUser(place, settings, [
    // Each line is a statement. The role owns its database but is no superuser, so that a hole in it stays a small one.
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${NAME}') THEN CREATE ROLE ${NAME} LOGIN CREATEDB; END IF; END $$`,
    `ALTER ROLE ${NAME} PASSWORD '${password}'`,
    // Fails where it is there already.
    `CREATE DATABASE ${NAME} OWNER ${NAME}`,
  ]);
  writeHba(place, HBA);
  return password;
}

const hbaFile = ({ cluster }: Place): string => join(cluster, 'pg_hba.conf');

function writeHba(place: Place, content: string): void {
  const { uid, gid } = statSync(place.cluster);
  writeSecretFile(hbaFile(place), content, { owner: process.getuid?.() === 0 ? { uid, gid } : null });
}

/** PostgreSQL without a socket. It ends with its input, so it does not outlive this process. */
function runSingleUser(place: Place, settings: Record<string, string>, statements: string[]): void {
  const args = ['--single', '-D', place.cluster, '-c', 'log_min_error_statement=panic'];
  args.push('-c', 'password_encryption=scram-sha-256', '-c', `fsync=${settings.fsync ?? 'on'}`, 'postgres');
  const input = statements.map((statement) => `${statement}\n`).join('');
  const result = spawnSync(join(place.native, 'bin/postgres'), args, {
    ...childOptions(place.as),
    input,
    encoding: 'utf8',
  });
  if (result.status === 0) return;
  const details = result.error?.message ?? `${result.stdout}${result.stderr}`.trim().slice(-1500);
  throw new EmbeddedError(`无法为数据库 ${place.cluster} 设置密码：${details}`);
}
