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

export interface ChildDatabase {
  child: ChildProcess;
  notes: string[];
  /** Resolves with the details of the event, or with undefined if the process ends without it. */
  waitForEvent(name: string): Promise<unknown>;
  exit: Promise<number | null>;
}

interface ChildOptions {
  systemDir?: string;
  script?: string;
  node?: string;
  uid?: number;
}

/** Stops and removes, after each test of a file, all databases that the test started. */
export function setUpEmbedded() {
  // The tests share this folder because PostgreSQL is copied to it when other users cannot read the repository.
  const sharedDir = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
  chmodSync(sharedDir, 0o711);
  const systemDir = join(sharedDir, 'system');
  afterAll(() => rmSync(sharedDir, { recursive: true, force: true }));

  const folders: string[] = [];
  const databases: EmbeddedDatabase[] = [];
  const children: ChildProcess[] = [];

  /** By default the user `nobody`, who runs PostgreSQL for root, can enter the folder. */
  function createTempDir(mode = 0o711): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mzt-')));
    chmodSync(folder, mode);
    folders.push(folder);
    return folder;
  }

  afterEach(async () => {
    for (const database of databases.splice(0)) await database.stop();
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const folder of folders.splice(0)) {
      await waitForNoProcess(folder);
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
      systemDir: more.systemDir ?? systemDir,
      notify: (message) => notes.push(message),
      settings: { fsync: 'off', ...more.settings },
    });
    databases.push(database);
    return { ...database, notes };
  }

  async function errorMessageOf(promise: Promise<unknown>): Promise<string> {
    const error = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(EmbeddedError);
    return error instanceof Error ? error.message : '';
  }

  /** The child process leads its own process group, as a shell would start it. */
  function startInChildProcess(dataDir: string, options: ChildOptions = {}): ChildDatabase {
    const {
      script = join(import.meta.dirname, '../embedded-fixture.ts'),
      node = process.execPath,
      uid,
    } = options;
    const child = spawn(node, [script, dataDir, options.systemDir ?? systemDir], {
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
    const waitForEvent = async (name: string) => {
      await vi.waitUntil(() => ended || events.has(name), { timeout: 30_000, interval: 10 });
      return events.get(name);
    };
    return { child, notes, waitForEvent, exit };
  }

  async function query(connection: EmbeddedDatabase['connection'], text: string): Promise<unknown[]> {
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

  async function waitForNoProcess(folder: string): Promise<void> {
    // expect.poll is not available in hooks.
    await vi.waitFor(() => expect(processesIn(folder)).toEqual([]), { timeout: 30_000, interval: 50 });
  }

  return {
    sharedDir,
    systemDir,
    createTempDir,
    start,
    startInChildProcess,
    query,
    errorMessageOf,
    waitForNoProcess,
    children,
  };
}
