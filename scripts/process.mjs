/** Runs child processes in the current terminal: forwards signals, returns exit code and output. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { localize } from './progress.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @typedef {object} Result
 * @property {number} code 128 + n after signal n, as in a shell; 127 when it failed to start
 * @property {string} output empty with `show`
 */

/**
 * Runs a program to its end. Forwards signals and then exits itself, so that an interrupted step never counts as
 * finished.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, show?: boolean, timeout?: number, killDelay?: number }} options
 *   `killDelay`: milliseconds between the stop signal and SIGKILL
 * @returns {Promise<Result>}
 */
export function run(
  command,
  args,
  { cwd, env = process.env, show = false, timeout = 0, killDelay = 15_000 },
) {
  return new Promise((resolve) => {
    const colours = (show && process.stdout.isTTY) || env.FORCE_COLOR;
    const child = spawn(command, args, {
      cwd,
      env: colours ? env : { ...env, NO_COLOR: '1' },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let timedOut = false;
    const killSoon = () => setTimeout(() => child.kill('SIGKILL'), killDelay).unref();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const timer = timeout
      ? setTimeout(() => {
          timedOut = true;
          child.kill('SIGTERM');
          killSoon();
        }, timeout)
      : undefined;
    const stopForwarding = forwardSignals(child, killSoon);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      const signalled = stopForwarding();
      if (signalled) process.exit(128 + constants.signals[signalled]);
      if (timedOut) {
        const minutes = timeout / 60_000;
        output += `\n${localize(`超过 ${minutes} 分钟，已被停止`, `stopped after ${minutes} minutes`)}`;
      }
      resolve({ code: timedOut ? 124 : code, output });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(127);
    });
    child.on('close', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Forwards the first signal to a child and keeps this process alive to report the exit. Ctrl-C reaches the child twice,
 * because the terminal signals the whole group; the server handles it once (see serve.ts).
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => void} [onSignal]
 * @returns {() => NodeJS.Signals | undefined} stops forwarding and returns the received signal
 */
export function forwardSignals(child, onSignal) {
  /** @type {NodeJS.Signals | undefined} */
  let received;
  const listeners = SIGNALS.map((name) => {
    const listener = () => {
      if (received) return;
      received = name;
      child.kill(name);
      onSignal?.();
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return () => {
    for (const remove of listeners) remove();
    return received;
  };
}
