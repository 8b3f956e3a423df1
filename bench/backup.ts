/**
 * `node bench/backup.ts [essays] [folder]`: fills an installation, backs it up, restores the backup into an empty one,
 * and prints the duration of each. Each essay has a source and a search entry, as on a real site. A given folder is not
 * removed, and its data is used again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '@mozhan/postgres';
import pg from 'pg';
import { temporaryFolder } from './servers.ts';

const ESSAYS = Number(process.argv[2] ?? 100_000);
const GIVEN_FOLDER = process.argv[3];
const GOAL_SECONDS = 300;

const root = join(import.meta.dirname, '..');
const folder = GIVEN_FOLDER ?? (await temporaryFolder());
const [source, target] = [join(folder, 'source'), join(folder, 'restored')];
const file = join(folder, 'site.tar');

async function run(script: string, args: string[], dataDir: string): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, [...process.execArgv, join(root, script), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir },
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} ended with ${code}`);
  return (performance.now() - since) / 1000;
}

async function query<T extends pg.QueryResultRow>(dataDir: string, ...statements: string[]): Promise<T[]> {
  const { connection, stop } = await startEmbedded({ dataDir, notify: () => {} });
  const client = new pg.Client(connection);
  await client.connect();
  let rows: T[] = [];
  for (const statement of statements) rows = (await client.query<T>(statement)).rows;
  await client.end();
  await stop();
  return rows;
}

/** Adds what the generator omits: copies revision and search entry of the demo essay with the same text. */
const complete = [
  'set synchronous_commit = off',
  `create temporary table made as
   select made.id, made.version, origin.id as origin, origin.version as origin_version
   from essays as made join essays as origin on origin.title = split_part(made.title, ' · ', 1)
   where made.title like '% · %'`,
  `insert into essay_revisions
   select (jsonb_populate_record(revision, jsonb_build_object('essay_id', made.id, 'version', made.version))).*
   from made join essay_revisions as revision
     on revision.essay_id = made.origin and revision.version = made.origin_version
   on conflict (essay_id, version) do update set content = excluded.content`,
  // Inserting into an existing index would take an hour.
  'drop index search_essays_tokens',
  `insert into search_essays
   select made.id, title, folded_title, fresh, stat, tokens, impacts
   from made join search_essays as origin on origin.id = made.origin on conflict do nothing`,
  'create index search_essays_tokens on search_essays using gin (tokens) with (fastupdate = off)',
  'vacuum analyze',
];

const counts = `
  select (select count(*)::int from essays) as essays, (select count(*)::int from essay_revisions) as revisions,
    (select count(*)::int from search_essays) as searched, (select count(*)::int from users) as users,
    pg_size_pretty(pg_database_size(current_database())) as database`;

await mkdir(folder, { recursive: true });
await chmod(folder, 0o755);
if (!existsSync(source)) {
  await run('bench/generate.ts', [String(ESSAYS), String(ESSAYS / 2), source], source);
  await query(source, ...complete);
}
await rm(file, { force: true });
await rm(target, { recursive: true, force: true });
await mkdir(target, { mode: 0o755 });
const [before] = await query(source, counts);
const backup = await run('scripts/operate.ts', ['backup', '--to', file], source);
const restore = await run('scripts/operate.ts', ['restore', file], target);
const [after] = await query(target, counts);
process.stdout.write(`before ${JSON.stringify(before)}\nafter  ${JSON.stringify(after)}\n`);
process.stdout.write(
  `file ${((await stat(file)).size / 1024 ** 2).toFixed(0)} MB, backup ${backup.toFixed(1)} s, ` +
    `restore ${restore.toFixed(1)} s (goal: ${GOAL_SECONDS})\n`,
);
if (GIVEN_FOLDER === undefined) await rm(folder, { recursive: true, force: true });
process.exit(restore > GOAL_SECONDS ? 1 : 0);
