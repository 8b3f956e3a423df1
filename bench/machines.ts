/**
 * `npm run topology`: what `deploy/` describes, on one machine: two servers of two processes each, with a folder of their
 * own, behind nginx with the rules of `deploy/nginx.conf`, over one PostgreSQL, one Redis and one S3. Tries whether they
 * are one site, what a killed server costs, and whether both can be restarted while people read. Prints what held.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyText } from '@mozhan/server/secrets/encryption.ts';
import { startTestS3 } from '@mozhan/server/testing/s3.ts';
import pg from 'pg';
import { buildStale } from '../scripts/builds.ts';
import { missingPrograms } from '../scripts/tools.ts';
import { checks, type Place } from './machines/checks.ts';
import { startMail, startNginx, startRedis } from './machines/parts.ts';
import { makePeople } from './people.ts';
import { makeRooms } from './rooms.ts';
import { freePort, type Running, startDatabase, startMozhan, temporaryFolder } from './servers.ts';

const PEOPLE = 8;

const missing = missingPrograms(['nginx', 'redis-server']);
if (missing.length > 0) {
  console.log(
    `This needs ${missing.join(' and ')}, which ${missing.length > 1 ? 'are' : 'is'} not installed.`,
  );
  process.exit(1);
}

const folder = await temporaryFolder();
const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
const open = async <T>(part: Promise<T>, close: (part: T) => Promise<unknown>): Promise<T> => {
  const opened = await part;
  closing.push(() => close(opened));
  return opened;
};

async function prepare(): Promise<Place> {
  const database = await open(startDatabase(folder, { settings: { max_connections: '300' } }), (one) =>
    one.stop(),
  );
  const redis = await open(startRedis(), (one) => one.stop());
  const s3 = await open(startTestS3(), (one) => one.close());
  const mail = await open(startMail(), (one) => one.stop());
  const ports: [number, number] = [await freePort(), await freePort()];
  const nginx = await open(startNginx(join(folder, 'nginx'), ports), (one) => one.stop());
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: newKeyText(),
    REDIS_URL: redis.url,
    S3_ENDPOINT: s3.config.endpoint,
    S3_BUCKET: s3.config.bucket,
    S3_ACCESS_KEY: s3.config.accessKey,
    S3_SECRET_KEY: s3.config.secretKey,
    SMTP_URL: mail.url,
    MAIL_FROM: 'topology@site.test',
    SITE_URL: nginx.url,
    TRUST_PROXY: '127.0.0.1',
    WORKERS: '2',
    RATE_LIMIT: 'on',
    DEMO: 'off',
  };
  const start = (at: 0 | 1): Promise<Running> =>
    startMozhan(join(folder, `machine-${at + 1}`), { ...env, PORT: String(ports[at]) });
  // Both at once, on a database and a bucket that are not there yet.
  const servers: [Running, Running] = await Promise.all([start(0), start(1)]);
  closing.push(() => Promise.all(servers.map((server) => server.stop())));
  const client = new pg.Client(database.connection);
  await client.connect();
  closing.push(() => client.end());
  const tokens = await makePeople(client, PEOPLE);
  const [essayId = ''] = await makeRooms(client, 1);
  return { servers, ports, nginx, s3, mail, client, tokens, essayId, start };
}

function report(rows: { name: string; detail: string; isHeld: boolean }[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, detail, isHeld } of rows)
    console.log(`${isHeld ? 'held  ' : 'FAILED'}  ${name.padEnd(width)}  ${detail}`);
}

const rows: Parameters<typeof report>[0] = [];
try {
  // Else both would build.
  if (!(await buildStale('[1/1]'))) process.exit(1);
  const place = await prepare();
  for (const { name, run } of checks) {
    process.stderr.write(`${name} … `);
    const outcome = await run(place).then(
      (detail) => ({ detail, isHeld: true }),
      (error: unknown) => ({ detail: error instanceof Error ? error.message : String(error), isHeld: false }),
    );
    process.stderr.write(`${outcome.isHeld ? 'held' : 'FAILED'}\n`);
    rows.push({ name, ...outcome });
  }
  report(rows);
  if (rows.some(({ isHeld }) => !isHeld)) process.exitCode = 1;
} finally {
  for (const close of closing.reverse()) await close().catch(() => {});
}
process.exit();
