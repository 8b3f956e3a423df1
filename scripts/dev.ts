/** Runs the development server and restarts it gracefully when its code changes; Vite updates the pages. */
import { type ChildProcess, spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { print } from './progress.mjs';
import { root } from './tools.ts';

const WATCHED = ['server', 'contract', 'postgres'];
/** Editors save a file in several steps, and a checkout changes many files. */
const DEBOUNCE_MS = 150;

let child: ChildProcess | undefined;
let stopping = false;
let restarting = false;
let timer: NodeJS.Timeout | undefined;

function start(): void {
  restarting = false;
  const entry = join(root, 'scripts/dev-server.ts');
  child = spawn(process.execPath, [entry], { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('exit', (code) => {
    child = undefined;
    if (stopping) process.exit(code ?? 1);
    if (restarting) start();
    else print(`[dev] the server ended (${code ?? 'by a signal'}); it starts again when its code changes`);
  });
}

function restart(path: string): void {
  print(`[dev] ${path} changed, starting again …`);
  if (!child) start();
  else if (!restarting) {
    restarting = true;
    child.kill('SIGTERM');
  }
}

for (const folder of WATCHED) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    const path = `${folder}/${file}`;
    if (stopping || /\.test\.ts$|\/testing\/|\.md$|~$/.test(path)) return;
    clearTimeout(timer);
    timer = setTimeout(restart, DEBOUNCE_MS, path);
  });
}
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (stopping) return;
    stopping = true;
    if (child) child.kill(name);
    else process.exit(0);
  });
}
print(
  '[2/2] development server: changes of server, contract and postgres restart it, changes of web show at once',
);
start();
