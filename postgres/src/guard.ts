import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, errorCode } from './lock.ts';

/** The unprivileged user PostgreSQL runs as when the server is root. */
export interface Identity {
  uid: number;
  gid: number;
}

/** Nothing of the operator's environment (PGDATA, PGOPTIONS, LANG…) may change how PostgreSQL runs. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** Node wants a signed 32-bit uid; macOS has nobody = -2, printed as 4294967294. */
export function childOptions(as: Identity | undefined) {
  const identity = as ? { uid: as.uid | 0, gid: as.gid | 0 } : {};
  return { cwd: '/', env: ENVIRONMENT, ...identity };
}

// Descriptor 3 is the pipe held by the server: its end, by stop() or by death, is the order to shut down.
// The signal is repeated since it may come before the program has set up its handlers, but not for ever: a
// zombie takes signals too. HUP, INT and TERM sent to everyone (systemd) do not concern the guard.
const GUARD = `
trap '' HUP INT TERM
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
(
  while read -r line <&3; do :; done
  for attempt in 1 2 3 4 5 6 7 8 9 10; do kill -INT $program 2>/dev/null || exit; sleep 1; done
) &
reader=$!
exec 3<&-
wait $program
code=$?
kill -KILL $reader 2>/dev/null
wait $reader 2>/dev/null
exit $code
`;

export interface Guarded {
  /** Whether the program has ended. */
  ended(): boolean;
  /** Resolves, never rejects, with how the program ended, for a log line. */
  exited: Promise<string>;
  /** Everything the program wrote, when `log` was not given. */
  output(): string;
  /** Orders a fast shutdown and resolves when the program has gone. */
  stop(): Promise<string>;
}

/**
 * Runs a program that cannot outlive this process, in a session of its own so that Ctrl-C in the terminal
 * reaches only the server.
 */
export function runGuarded(program: string, args: string[], as: Identity | undefined, log?: number): Guarded {
  const child = spawn('/bin/sh', ['-c', GUARD, 'mozhan-guard', program, ...args], {
    ...childOptions(as),
    detached: true,
    stdio: ['pipe', log ?? 'pipe', log ?? 'pipe'],
  });
  let ended = false;
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.stdin?.on('error', () => {});
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      ended = true;
      child.stdin?.destroy();
      resolve(how);
    };
    child.once('error', (error) => end(error.message));
    // With a log the exit matters, not the closing of pipes that other processes may hold.
    child.once(log === undefined ? 'close' : 'exit', (code: number | null, signal: string | null) => {
      end(signal ?? String(code));
    });
  });
  return {
    ended: () => ended,
    exited,
    output: () => output,
    stop: () => {
      child.stdin?.end();
      return exited;
    },
  };
}

/**
 * The pid of the postmaster that runs on this cluster, or 0. The pid file alone proves nothing, since pids
 * are reused: the socket must answer, or the process must name the cluster on its command line.
 */
export async function postmasterOf(cluster: string): Promise<number> {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
  if (!pid || !isAlive(pid)) return 0;
  const [, , , port, folder] = lines;
  if (folder && (await answers(join(folder, `.s.PGSQL.${port}`)))) return pid;
  return `${commandOf(pid)} `.includes(` -D ${cluster} `) ? pid : 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
