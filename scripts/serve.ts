import { enableCompileCache } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';
import { elapsed, print } from './progress.mjs';
import { root } from './tools.ts';

/** Runs the server in this process, with its notes below a line of their own. */
export async function serve({ label, dev = false }: { label: string; dev?: boolean }): Promise<void> {
  const since = performance.now();
  print(`${label} 启动服务`);
  guardSignals();
  stopWithParent();
  // Halves the time to load the server's modules, from the second start on.
  enableCompileCache(join(root, 'node_modules/.cache/compile'));
  const [{ main }, { fail }] = await Promise.all([import('../server/src/main.ts'), import('./failure.ts')]);
  const note = (sentence: string) => print(`      ${sentence}（${elapsed(since)}）`);
  const say = (line: string) => print(`      ${line}`);
  await main({ note, say, dev }).catch(fail);
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
