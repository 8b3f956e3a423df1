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
  await main({ ...notes(since), worker: join(root, 'scripts/worker.ts'), dev }).catch(fail);
}

/** Runs in this process what the first process wants of another one. */
export async function serveAsWorker(task: string | undefined): Promise<void> {
  const since = performance.now();
  const { FIRST_START, firstStart, work, fail } = await load(false);
  const { note, say } = notes(since);
  await (task === FIRST_START ? firstStart({ note, say }) : work({ note: say })).catch(fail);
}

/** What the server tells, below the line of the step. */
const notes = (since: number) => ({
  note: (sentence: string) => print(`      ${sentence}（${elapsed(since)}）`),
  say: (line: string) => print(`      ${line}`),
});

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
