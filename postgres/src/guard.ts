import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isListening } from './lock.ts';

/** The unprivileged user that PostgreSQL runs as when the server runs as root. */
export interface Identity {
  uid: number;
  gid: number;
}

/** Excludes the operator's environment (PGDATA, PGOPTIONS, LANG…), which would change how PostgreSQL runs. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' };

/** Node requires a signed 32-bit uid; on macOS `nobody` is -2, which `id` prints as 4294967294. */
export function childOptions(runAs: Identity | undefined) {
  const identity = runAs ? { uid: runAs.uid | 0, gid: runAs.gid | 0 } : {};
  return { cwd: '/', env: ENVIRONMENT, ...identity };
}

// Descriptor 3 is a pipe from the server; when it closes, by stop() or because the server died, the program is shut down.
// The signal is repeated because the program may not have installed its handlers yet, but only ten times because a
// zombie accepts signals as well. The guard ignores HUP, INT and TERM, which systemd sends to the whole process group.
const GUARD_SCRIPT = `
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

export interface GuardedProcess {
  hasExited(): boolean;
  /** Resolves with the signal, exit code or error message; never rejects. */
  exited: Promise<string>;
  /** The end of the program's output when `log` is not given. */
  output(): string;
  stop(): Promise<string>;
}

/**
 * Runs a program that is stopped when this process ends. The program has a session of its own, so that Ctrl-C in the
 * terminal reaches only the server.
 */
export function runGuarded(
  program: string,
  args: string[],
  runAs: Identity | undefined,
  log?: number,
): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'mozhan-guard', program, ...args], {
    ...childOptions(runAs),
    detached: true,
    stdio: ['pipe', log ?? 'pipe', log ?? 'pipe'],
  });
  let hasExited = false;
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  child.stdin?.on('error', () => {});
  const exited = new Promise<string>((resolve) => {
    const finish = (reason: string) => {
      hasExited = true;
      child.stdin?.destroy();
      resolve(reason);
    };
    child.once('error', (error) => finish(error.message));
    // The `close` event waits for pipes that other processes may hold open, so it is used only to collect the output.
    child.once(log === undefined ? 'close' : 'exit', (code: number | null, signal: string | null) => {
      finish(signal ?? String(code));
    });
  });
  return {
    hasExited: () => hasExited,
    exited,
    output: () => output,
    stop: () => {
      child.stdin?.end();
      return exited;
    },
  };
}

/**
 * Returns 0 when no postmaster runs on this cluster. Pids are reused, so besides the pid file either the socket must
 * accept connections or the command line of the process must contain the cluster's path.
 */
export async function findPostmasterPid(cluster: string): Promise<number> {
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
  if (folder && (await isListening(join(folder, `.s.PGSQL.${port}`)))) return pid;
  return `${readCommandLine(pid)} `.includes(` -D ${cluster} `) ? pid : 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
