import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { type EmbeddedDatabase, EmbeddedError, startEmbedded } from '../embedded.ts';

export interface Fixture {
  child: ChildProcess;
  notes: string[];
  /** Resolves with the detail of the event, or with undefined when the process ends without it. */
  event(name: string): Promise<unknown>;
  exit: Promise<number | null>;
}

interface FixtureOptions {
  systemDir?: string;
  script?: string;
  node?: string;
  uid?: number;
}

/** Databases of a test file, alone or in processes of their own; all are stopped and removed after each test. */
export function prepareEmbedded() {
  // One for all tests: where this repository is closed to others, it comes to hold a copy of PostgreSQL.
  const shared = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
  chmodSync(shared, 0o711);
  const system = join(shared, 'system');
  afterAll(() => rmSync(shared, { recursive: true, force: true }));

  const folders: string[] = [];
  const databases: EmbeddedDatabase[] = [];
  const children: ChildProcess[] = [];

  /** A temporary folder; open on the way, as root's stand-in has to pass through it. */
  function temp(mode = 0o711): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
    chmodSync(folder, mode);
    folders.push(folder);
    return folder;
  }

  afterEach(async () => {
    for (const database of databases.splice(0)) await database.stop();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const folder of folders.splice(0)) {
      await allGone(folder);
      rmSync(folder, { recursive: true, force: true });
    }
  });

  async function start(
    dataDir: string,
    more: { systemDir?: string; settings?: Record<string, string> } = {},
  ) {
    const notes: string[] = [];
    const database = await startEmbedded({
      dataDir,
      systemDir: more.systemDir ?? system,
      note: (sentence) => notes.push(sentence),
      settings: { fsync: 'off', ...more.settings },
    });
    databases.push(database);
    return { ...database, notes };
  }

  async function failure(promise: Promise<unknown>): Promise<string> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EmbeddedError);
    return error instanceof Error ? error.message : '';
  }

  /** Starts the database in a process of its own, the leader of its process group as a shell makes it. */
  function startApart(dataDir: string, options: FixtureOptions = {}): Fixture {
    const {
      script = join(import.meta.dirname, '../embedded-fixture.ts'),
      node = process.execPath,
      uid,
    } = options;
    const { systemDir = system } = options;
    const child = spawn(node, [script, dataDir, systemDir], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    children.push(child);
    const events = new Map<string, unknown>();
    const notes: string[] = [];
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => {
        const [name, detail]: [string, unknown] = JSON.parse(line);
        events.set(name, detail);
        if (name === 'note') notes.push(String(detail));
      });
    }
    let ended = false;
    exit.then(() => {
      ended = true;
    });
    const event = async (name: string) => {
      await vi.waitUntil(() => ended || events.has(name), { timeout: 30_000, interval: 10 });
      return events.get(name);
    };
    return { child, notes, event, exit };
  }

  async function ask(connection: EmbeddedDatabase['connection'], text: string): Promise<unknown[]> {
    const client = new pg.Client(connection);
    client.on('error', () => {});
    await client.connect();
    try {
      const { rows } = await client.query({ text, rowMode: 'array' });
      return rows.flat();
    } finally {
      await client.end();
    }
  }

  /** Every process that names the folder on its command line or works in it. */
  function processesIn(folder: string): string[] {
    if (process.platform !== 'linux') {
      const list = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
      return list.filter((line) => line.includes(folder));
    }
    return readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) return true;
        return readlinkSync(`/proc/${pid}/cwd`).includes(folder);
      } catch {
        return false;
      }
    });
  }

  async function allGone(folder: string): Promise<void> {
    // vi.waitFor and not expect.poll, which hooks may not use.
    await vi.waitFor(() => expect(processesIn(folder)).toEqual([]), { timeout: 30_000, interval: 50 });
  }

  return { shared, system, temp, start, startApart, ask, failure, allGone, children };
}
