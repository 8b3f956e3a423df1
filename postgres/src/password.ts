import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { childOptions } from './guard.ts';
import type { ClusterLocation } from './location.ts';
import { EmbeddedError, errorCode } from './lock.ts';
import { writeSecretFile } from './secret-file.ts';

/** The name of both the role and the database of the application. */
export const APP_NAME = 'mozhan';

/** The superuser cannot connect; only the single-user mode below uses it. A change of this text sets a new password. */
const HBA_RULES = `# Written by Mozhan, and written again when it is changed. Version 2.\nlocal all ${APP_NAME} scram-sha-256\n`;
const HBA_CLOSED = '# Nobody may connect: the password is being set.\n';

export const passwordFile = (dataDir: string): string => join(dataDir, 'pg.password');

export function readPassword(dataDir: string): string | null {
  try {
    return readFileSync(passwordFile(dataDir), 'utf8').trim() || null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Sets a password if the cluster has none yet or its file was lost; PostgreSQL must not be running. */
export function ensurePassword(
  dataDir: string,
  location: ClusterLocation,
  settings: Record<string, string>,
): string {
  const password = readPassword(dataDir);
  const isSet = password !== null && readFileSync(hbaFile(location), 'utf8') === HBA_RULES;
  return isSet ? password : resetPassword(dataDir, location, settings);
}

/**
 * Sets a new password for the application's role and creates the role and the database if they do not exist. The owner
 * of the cluster may always do this. HBA_RULES is written last, so that a start that was killed half-way is repeated
 * completely by the next one.
 */
export function resetPassword(
  dataDir: string,
  location: ClusterLocation,
  settings: Record<string, string>,
): string {
  const password = randomBytes(24).toString('base64url');
  writeHba(location, HBA_CLOSED);
  writeSecretFile(passwordFile(dataDir), `${password}\n`);
  runSingleUser(location, settings, [
    // Each line is one statement. The role is no superuser, to limit the damage of a security hole in the application.
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${APP_NAME}') THEN CREATE ROLE ${APP_NAME} LOGIN CREATEDB; END IF; END $$`,
    `ALTER ROLE ${APP_NAME} PASSWORD '${password}'`,
    // This statement fails when the database exists, which does no harm.
    `CREATE DATABASE ${APP_NAME} OWNER ${APP_NAME}`,
  ]);
  writeHba(location, HBA_RULES);
  return password;
}

const hbaFile = ({ cluster }: ClusterLocation): string => join(cluster, 'pg_hba.conf');

function writeHba(location: ClusterLocation, content: string): void {
  const { uid, gid } = statSync(location.cluster);
  writeSecretFile(hbaFile(location), content, { owner: process.getuid?.() === 0 ? { uid, gid } : null });
}

/** Single-user mode opens no socket, and PostgreSQL exits at the end of its input. */
function runSingleUser(
  location: ClusterLocation,
  settings: Record<string, string>,
  statements: string[],
): void {
  const args = ['--single', '-D', location.cluster, '-c', 'log_min_error_statement=panic'];
  // Iterations protect passwords that can be guessed; this one is random. Each connection would repeat all of them.
  args.push(
    '-c',
    'password_encryption=scram-sha-256',
    '-c',
    'scram_iterations=1',
    '-c',
    `fsync=${settings.fsync ?? 'on'}`,
    'postgres',
  );
  const input = statements.map((statement) => `${statement}\n`).join('');
  const result = spawnSync(join(location.native, 'bin/postgres'), args, {
    ...childOptions(location.runAs),
    input,
    encoding: 'utf8',
  });
  if (result.status === 0) return;
  const details = result.error?.message ?? `${result.stdout}${result.stderr}`.trim().slice(-1500);
  throw new EmbeddedError(`无法为数据库 ${location.cluster} 设置密码：${details}`);
}
