/** Child processes that share our terminal: their signals, their exit code, their output. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { said } from './progress.mjs';

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * @typedef {object} Result
 * @property {number} code 128 + n after signal n, as in a shell; 127 when it could not be started
 * @property {string} output empty when it was shown directly
 */

/**
 * Runs a program to its end. Signals are passed on, and afterwards end us too: a stopped step is never taken for a
 * finished one.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, show?: boolean, timeout?: number, patience?: number }} options
 *   `patience`: how long it may take to stop, in milliseconds like `timeout`
 * @returns {Promise<Result>}
 */
export function run(command, args, { cwd, env = process.env, show = false, timeout = 0, patience = 15_000 }) {
  return new Promise((resolve) => {
    const colours = (show && process.stdout.isTTY) || env.FORCE_COLOR;
    const child = spawn(command, args, {
      cwd,
      env: colours ? env : { ...env, NO_COLOR: '1' },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let late = false;
    const killSoon = () => setTimeout(() => child.kill('SIGKILL'), patience).unref();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    const timer = timeout
      ? setTimeout(() => {
          late = true;
          child.kill('SIGTERM');
          killSoon();
        }, timeout)
      : undefined;
    const stopForwarding = forwardSignals(child, killSoon);
    const finish = (/** @type {number} */ code) => {
      clearTimeout(timer);
      const signalled = stopForwarding();
      if (signalled) process.exit(128 + constants.signals[signalled]);
      if (late) {
        const minutes = timeout / 60_000;
        output += `\n${said(`超过 ${minutes} 分钟，已被停止`, `stopped after ${minutes} minutes`)}`;
      }
      resolve({ code: late ? 124 : code, output });
    };
    child.on('error', (error) => {
      output += error.message;
      finish(127);
    });
    child.on('close', (code, signal) => finish(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Passes the first signal on to a child, and keeps us alive to report how it ended. Ctrl-C reaches the child twice,
 * since the terminal signals the whole group; the server counts it once (see serve.ts).
 * @param {import('node:child_process').ChildProcess} child
 * @param {() => void} [then]
 * @returns {() => NodeJS.Signals | undefined} ends it, and tells which signal came
 */
export function forwardSignals(child, then) {
  /** @type {NodeJS.Signals | undefined} */
  let seen;
  const listeners = SIGNALS.map((name) => {
    const listener = () => {
      if (seen) return;
      seen = name;
      child.kill(name);
      then?.();
    };
    process.on(name, listener);
    return () => process.off(name, listener);
  });
  return () => {
    for (const remove of listeners) remove();
    return seen;
  };
}
