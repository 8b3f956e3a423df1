/**
 * Runs the steps of `deploy/Dockerfile` in an empty folder, for machines without Docker: the COPY and RUN of all stages,
 * then the command with the environment and a user without privileges, until the health check succeeds.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { print } from './progress.mjs';
import { root } from './tools.ts';

interface Instruction {
  name: string;
  rest: string;
}

/** Of the user that the image calls `node`. */
interface Owner {
  uid: number;
  gid: number;
}

interface Stage {
  folder: string;
  env: Record<string, string>;
  workdir: string;
  command: string[];
  healthCheck: string[];
}

const MAX_HEALTH_CHECKS = 60;
const HEALTH_CHECK_MS = 3000;

const readInstructions = (text: string): Instruction[] =>
  text
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name, rest: rest.join(' ') };
    });

const dockerfile = readInstructions(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'));
const ignored = readFileSync(join(root, 'deploy/Dockerfile.dockerignore'), 'utf8').trim().split('\n');
const isIgnored = (path: string): boolean => ignored.some((pattern) => matchesGlob(path, pattern));

/** Absolute paths of the image, which are folders below the stage's folder here. */
const imagePaths = dockerfile
  .filter(({ name }) => name === 'WORKDIR' || name === 'VOLUME')
  .map(({ rest }) => rest);

const isRoot = process.getuid?.() === 0;
const idOf = (flag: string): number =>
  Number(execFileSync('id', [flag, isRoot ? 'nobody' : String(process.getuid?.())]));
const owner: Owner = { uid: idOf('-u'), gid: idOf('-g') };

const isImagePath = (path: string): boolean =>
  imagePaths.some((each) => path === each || path.startsWith(`${each}/`));

const toLocal = ({ folder }: Pick<Stage, 'folder'>, text: string): string =>
  text
    .replaceAll(/(?<![\w/])\/[\w/.-]+/g, (path) => (isImagePath(path) ? folder + path : path))
    .replaceAll('node:node', `${owner.uid}:${owner.gid}`);

function execute(command: string, args: string[], stage: Stage): void {
  const { status } = spawnSync(command, args, {
    cwd: join(stage.folder, stage.workdir),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...baseEnvironment(), ...stage.env },
  });
  if (status !== 0) throw new Error(`exit code ${status}: ${command} ${args.join(' ')}`);
}

/** Variables without which packages cannot be fetched from behind a proxy or with a certificate authority of its own. */
const isNetworkVariable = (name: string): boolean =>
  name.startsWith('npm_config_') || name === 'NODE_EXTRA_CA_CERTS' || /^(https?|no)_proxy$/i.test(name);

const baseEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => isNetworkVariable(name))),
});

async function copy(stage: Stage, rest: string, stages: Map<string, Stage>): Promise<void> {
  const words = rest.split(' ');
  const flags = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = join(stage.folder, stage.workdir, paths.at(-1) ?? '');
  const from = stages.get(flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length) ?? '');
  mkdirSync(target, { recursive: true });
  for (const source of paths.slice(0, -1)) {
    if (from !== undefined) execFileSync('cp', ['-a', `${join(from.folder, source)}/.`, target]);
    else if (source === '.')
      await cp(root, target, {
        recursive: true,
        filter: (path) => path === root || !isIgnored(relative(root, path)),
      });
    else await cp(join(root, source), join(target, source.split('/').at(-1) ?? ''), { recursive: true });
  }
  if (isRoot && flags.some((flag) => flag.startsWith('--chown=')))
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, target]);
}

/** The JSON form of CMD, also in HEALTHCHECK. */
const readCommand = (rest: string): string[] => JSON.parse(rest.slice(rest.indexOf('[')));

async function runSteps(base: string): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, rest } of dockerfile) {
    print(`> ${name} ${rest}`);
    if (name === 'FROM') {
      const stageName = rest.split(/ AS /i)[1] ?? 'final';
      stage = { folder: join(base, stageName), env: {}, workdir: '/', command: [], healthCheck: [] };
      mkdirSync(stage.folder);
      stages.set(stageName, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} before FROM`);
    if (name === 'WORKDIR') {
      stage.workdir = rest;
      mkdirSync(join(stage.folder, rest), { recursive: true });
    } else if (name === 'ENV') {
      for (const pair of rest.split(' ')) {
        const [key = '', value = ''] = pair.split('=');
        stage.env[key] = toLocal(stage, value);
      }
    } else if (name === 'COPY') await copy(stage, rest, stages);
    else if (name === 'RUN') execute('sh', ['-ec', toLocal(stage, rest)], stage);
    else if (name === 'HEALTHCHECK') stage.healthCheck = readCommand(rest);
    else if (name === 'CMD') stage.command = readCommand(rest);
    else if (!['VOLUME', 'USER', 'EXPOSE'].includes(name)) throw new Error(`unknown instruction ${name}`);
  }
  if (stage === undefined) throw new Error('no stage');
  return stage;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** Starts the command as the image would, and returns when the health check succeeds. */
async function start(stage: Stage): Promise<{ child: ChildProcess; url: string }> {
  const port = await findFreePort();
  const cwd = join(stage.folder, stage.workdir);
  const env = { PATH: process.env.PATH, HOME: cwd, DEMO: 'off', ...stage.env, PORT: String(port) };
  const identity = isRoot ? owner : {};
  const [command = '', ...args] = stage.command;
  const child = spawn(join(cwd, command), args, {
    cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...identity,
  });
  const [check = '', ...checkArgs] = stage.healthCheck.map((word) => word.replace(':9000', `:${port}`));
  for (let attempt = 0; attempt < MAX_HEALTH_CHECKS; attempt++) {
    await sleep(HEALTH_CHECK_MS);
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    const { status } = spawnSync(check, checkArgs, { cwd, env, ...identity });
    if (status === 0) return { child, url: `http://127.0.0.1:${port}` };
  }
  await stop(child);
  throw new Error('the health check never succeeded');
}

/** Resolves with the exit code, when the database has stopped too. */
async function stop(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await exited;
  return code;
}

const base = mkdtempSync(join(tmpdir(), 'mozhan-image-'));
// The user without privileges must be able to enter it.
chmodSync(base, 0o755);
try {
  const stage = await runSteps(base);
  const { child, url } = await start(stage);
  const page = await fetch(`${url}/home`).then(
    (response) => response.text(),
    (error) => String(error),
  );
  const code = await stop(child);
  if (!page.includes('墨栈') || code !== 0) throw new Error(`no home page, or exit code ${code}`);
  print('The steps of the Dockerfile work: built, started, healthy, stopped.');
} finally {
  rmSync(base, { recursive: true, force: true });
}
