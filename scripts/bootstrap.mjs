/**
 * Entry point of every npm script: installs the packages of the lock file if necessary, then runs the script with the
 * Node version that the packages pin. Needs only Node 20 and npm. `npm start` uses it only to install; the shell then
 * execs the server, so that no second process waits.
 */
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled, InstallError, pinnedNode } from './install.mjs';
import { forwardSignals } from './process.mjs';
import { print } from './progress.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** `dev`: for contributors: installs development packages and prints English. @type {Record<string, { script?: string, label?: string, dev: boolean }>} */
const commands = {
  install: { label: '[1/3]', dev: false },
  build: { script: 'scripts/build.ts', label: '[1/2]', dev: false },
  dev: { script: 'scripts/dev.ts', label: '[1/2]', dev: true },
  test: { script: 'scripts/test.ts', dev: true },
  ui: { script: 'scripts/ui.ts', dev: true },
  format: { script: 'scripts/format.ts', dev: true },
  bench: { script: 'bench/run.ts', dev: true },
  'bench:long': { script: 'bench/long.ts', dev: true },
  lighthouse: { script: 'bench/lighthouse.ts', dev: true },
  topology: { script: 'bench/machines.ts', dev: true },
  'operator-path': { script: 'bench/operator-path.ts', dev: true },
  'image-steps': { script: 'scripts/image-steps.ts', dev: true },
  operate: { script: 'scripts/operate.ts', dev: false },
};

async function main() {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) {
    print(`usage: node scripts/bootstrap.mjs ${Object.keys(commands).join('|')}`);
    return 1;
  }
  process.env.MOZHAN_MESSAGES = command.dev ? 'en' : 'zh';
  await ensureInstalled(root, command);
  const node = pinnedNode(root);
  if (!command.script) return 0;
  const script = join(root, command.script);
  if (realpathSync(node) !== realpathSync(process.execPath))
    return await runWithNode(node, [...process.execArgv, script, ...args]);
  process.argv = [process.execPath, script, ...args];
  await import(pathToFileURL(script).href);
  return undefined;
}

/**
 * @param {string} node
 * @param {string[]} args
 * @returns {Promise<number>} its exit code
 */
function runWithNode(node, args) {
  return new Promise((resolve, reject) => {
    // The IPC channel lets the child detect that this process has exited.
    const child = spawn(node, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
    forwardSignals(child);
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  print(`需要 Node 20 或更新的版本，现在是 ${process.version}。请安装后重试。(Node 20 or newer is needed.)`);
  process.exit(1);
}
try {
  const code = await main();
  if (code !== undefined) process.exit(code);
} catch (error) {
  if (!(error instanceof InstallError)) throw error;
  print(error.message);
  process.exit(1);
}
