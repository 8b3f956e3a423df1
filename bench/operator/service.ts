import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_START_MS = 20 * 60_000;

export interface Service {
  start: () => Promise<void>;
  /** Resolves with the exit code. */
  stop: () => Promise<number>;
  /** What systemd would have in its journal. */
  journal: () => string;
}

export const readPairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Arguments of `setpriv`, which runs a program as a user in the same process, so that it gets the signals. */
export const asUser = (user: string): string[] => ['--reuid', user, '--regid', user, '--init-groups', '--'];

/** Before the variables of a unit. */
export const userEnvironment = (user: string): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: `/home/${user}`,
});

/**
 * Does what systemd does with a unit, on machines where systemd is not running: its environment, user, folder, commands and
 * stop signal, without its sandbox.
 */
export function createService(unitPath: string, journalPath: string): Service {
  const unit = readFileSync(unitPath, 'utf8');
  const settingOf = (name: string): string => new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit)?.[1] ?? '';
  const cwd = settingOf('WorkingDirectory');
  const user = settingOf('User');
  let child: ChildProcess | undefined;

  const command = (text: string): [string, string[]] => ['setpriv', [...asUser(user), ...text.split(' ')]];
  const environment = (): Record<string, string> => ({
    ...userEnvironment(user),
    ...readPairs(settingOf('Environment').replaceAll(' ', '\n')),
    ...readPairs(readFileSync(settingOf('EnvironmentFile'), 'utf8')),
  });
  const journal = (): string => readFileSync(journalPath, 'utf8');

  return {
    journal,
    async start() {
      const output = openSync(journalPath, 'a', 0o600);
      const before = journal().length;
      const options = { cwd, env: environment() };
      const prepared = spawnSync(...command(settingOf('ExecStartPre')), {
        ...options,
        stdio: ['ignore', output, output],
      });
      if (prepared.status !== 0) throw new Error(`ExecStartPre failed:\n${journal().slice(before)}`);
      child = spawn(...command(settingOf('ExecStart')), { ...options, stdio: ['ignore', output, output] });
      closeSync(output);
      const deadline = Date.now() + MAX_START_MS;
      while (!journal().slice(before).includes('墨栈已启动')) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`the service did not start:\n${journal().slice(before)}`);
        await sleep(500);
      }
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return child?.exitCode ?? 0;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exited;
      child = undefined;
      return code;
    },
  };
}
