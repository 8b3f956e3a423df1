import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { elapsed, print, said } from './progress.mjs';
import { root } from './tools.ts';

/** Runs the server in this process, with its notes below a line of their own. */
export async function serve({ label, dev = false }: { label: string; dev?: boolean }): Promise<void> {
  const since = performance.now();
  print(`${label} ${said('启动服务', 'starting the server')}`);
  const { main, fail } = await load(dev);
  const note = (sentence: string) => print(`      ${sentence}（${elapsed(since)}）`);
  const say = (line: string) => print(`      ${line}`);
  await main({ note, say, worker: join(root, 'scripts/worker.ts'), dev }).catch(fail);
}

/** Runs one of several servers in this process. */
export async function serveAsWorker(): Promise<void> {
  const { work, fail } = await load(false);
  await work({ note: (sentence) => print(`      ${sentence}`) }).catch(fail);
}

const BUILT = join(root, 'server/dist/server.js');

function load(dev: boolean): Promise<typeof import('./server.ts')> {
  guardSignals();
  stopWithParent();
  // Halves the time to load the server's modules, from the second start on.
  enableCompileCache(join(root, 'node_modules/.cache/compile'));
  return dev ? import('./server.ts') : import(BUILT);
}

/**
 * Ctrl-C signals the whole process group, and npm and bootstrap pass it on: only the first may count. Until the server
 * listens for signals itself they end the process as usual; from then on a repeated one must not.
 */
function guardSignals(): void {
  let seen = false;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!seen && process.listenerCount(name) === 1) process.exit(128 + constants.signals[name]);
      seen = true;
    });
  }
}

/** Whoever started us over a channel and then died, however, takes us along. */
function stopWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
