import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { elapsed, localize, print } from './progress.mjs';
import { root } from './tools.ts';

export async function serve({ label, dev = false }: { label: string; dev?: boolean }): Promise<void> {
  const since = performance.now();
  print(`${label} ${localize('启动服务', 'starting the server')}`);
  const { main, exitWithError } = await load(dev);
  await main({ ...serverOutput(since), worker: join(root, 'scripts/worker.ts'), dev }).catch(exitWithError);
}

/** Runs a worker or the first start in this process, as requested by the first process. */
export async function serveAsWorker(task: string | undefined): Promise<void> {
  const since = performance.now();
  const { FIRST_START, runFirstStart, runWorker, exitWithError } = await load(false);
  const { note, printLine } = serverOutput(since);
  await (task === FIRST_START ? runFirstStart({ note, printLine }) : runWorker({ note: printLine })).catch(
    exitWithError,
  );
}

/** Indented output of the server below the line of the step. */
const serverOutput = (since: number) => ({
  note: (sentence: string) => print(`      ${sentence}（${elapsed(since)}）`),
  printLine: (line: string) => print(`      ${line}`),
});

const SERVER_BUNDLE = join(root, 'server/dist/server.js');

function load(dev: boolean): Promise<typeof import('./server.ts')> {
  guardSignals();
  stopWithParent();
  // Halves the load time of the server's modules from the second start on.
  enableCompileCache(join(root, 'node_modules/.cache/compile'));
  return dev ? import('./server.ts') : import(SERVER_BUNDLE);
}

/**
 * Ctrl-C signals the whole process group, and npm and bootstrap forward it, so repeated signals are ignored. Until the
 * server has its own listeners, a signal ends the process as usual.
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

/** Stops when the parent process has exited. */
function stopWithParent(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
}
