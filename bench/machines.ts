/**
 * `npm run topology`: tests the setup of `deploy/` on one machine: two servers with two processes and a data directory
 * each, behind nginx with the rules of `deploy/nginx.conf`, and one PostgreSQL, Redis and S3. Checks that they act as one
 * site, the effect of a killed server, and rolling restarts under traffic. Prints the result of each check.
 * `npm run topology -- nginx` runs only the checks whose name contains "nginx".
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newKeyText } from '@mozhan/server/secrets/encryption.ts';
import { startTestS3 } from '@mozhan/server/testing/s3.ts';
import pg from 'pg';
import { buildIfStale } from '../scripts/builds.ts';
import { findMissingPrograms } from '../scripts/tools.ts';
import { type Cluster, checks } from './machines/checks.ts';
import { startMail, startNginx, startRedis } from './machines/services.ts';
import { createRooms } from './rooms.ts';
import { freePort, type RunningServer, startDatabase, startMozhan, temporaryFolder } from './servers.ts';
import { createUsers } from './users.ts';

const USER_COUNT = 8;

const missing = findMissingPrograms(['nginx', 'redis-server']);
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

async function prepare(): Promise<Cluster> {
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
  const start = (at: 0 | 1): Promise<RunningServer> =>
    startMozhan(join(folder, `machine-${at + 1}`), { ...env, PORT: String(ports[at]) });
  // Concurrently, with an empty database and no bucket.
  const servers: [RunningServer, RunningServer] = await Promise.all([start(0), start(1)]);
  closing.push(() => Promise.all(servers.map((server) => server.stop())));
  const client = new pg.Client(database.connection);
  await client.connect();
  closing.push(() => client.end());
  const tokens = await createUsers(client, USER_COUNT);
  const [essayId = ''] = await createRooms(client, 1);
  return { servers, ports, nginx, s3, mail, client, tokens, essayId, start };
}

function report(rows: { name: string; detail: string; passed: boolean }[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, detail, passed } of rows)
    console.log(`${passed ? 'passed' : 'FAILED'}  ${name.padEnd(width)}  ${detail}`);
}

const rows: Parameters<typeof report>[0] = [];
try {
  // Otherwise both servers would build.
  if (!(await buildIfStale('[1/1]'))) process.exit(1);
  const cluster = await prepare();
  const [filter = ''] = process.argv.slice(2);
  for (const { name, run } of checks.filter((each) => each.name.includes(filter))) {
    process.stderr.write(`${name} … `);
    const result = await run(cluster).then(
      (detail) => ({ detail, passed: true }),
      (error: unknown) => ({ detail: error instanceof Error ? error.message : String(error), passed: false }),
    );
    process.stderr.write(`${result.passed ? 'passed' : 'FAILED'}\n`);
    rows.push({ name, ...result });
  }
  report(rows);
  if (rows.some(({ passed }) => !passed)) process.exitCode = 1;
} finally {
  for (const close of closing.reverse()) await close().catch(() => {});
}
process.exit();
