import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { freePort, pinToCore } from '../servers.ts';

export interface Service {
  url: string;
  stop: () => Promise<void>;
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
}

export async function startRedis(): Promise<Service> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  await waitForPort(child, port);
  return { url: `redis://127.0.0.1:${port}`, stop: () => stopProcess(child) };
}

export interface Nginx extends Service {
  pid: number;
  /** Number of requests per server port since the last call. */
  countByServer: () => Promise<Map<number, number>>;
}

const readDeployed = (name: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../../deploy', name), 'utf8');

/** Uses `deploy/nginx.conf` with other ports, and with `deploy/nginx-page-cache.conf` if asked for. */
export async function startNginx(
  folder: string,
  servers: number[],
  { cachesPages = false, core }: { cachesPages?: boolean; core?: string } = {},
): Promise<Nginx> {
  const port = await freePort();
  const log = join(folder, 'access.log');
  const pageCache = join(folder, 'nginx-page-cache.conf');
  await mkdir(folder, { recursive: true });
  await writeFile(
    pageCache,
    (await readDeployed('nginx-page-cache.conf')).replace('/var/cache/nginx-mozhan', join(folder, 'pages')),
  );
  const config = (await readDeployed('nginx.conf'))
    .replace('# include nginx-page-cache.conf;', cachesPages ? `include ${pageCache};` : '')
    .replace('access_log off;', `log_format server '$upstream_addr'; access_log ${log} server;`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/app(\d):9000/g, (_, nth: string) => `127.0.0.1:${servers[Number(nth) - 1]}`)
    .replace(
      'http {',
      `http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`,
    );
  const path = join(folder, 'nginx.conf');
  await writeFile(path, config);
  const files = ['-p', folder, '-c', path, '-e', join(folder, 'error.log')];
  const [command, args] = pinToCore(core, ['nginx', ...files, '-g', `daemon off; pid ${folder}/nginx.pid;`]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await waitForPort(child, port);
  let read = 0;
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () => stopProcess(child, 'SIGQUIT'),
    async countByServer() {
      const text = (await readFile(log, 'utf8')).slice(read);
      read += text.length;
      const counts = new Map<number, number>();
      // With several upstreams, the last one responded.
      for (const [, found] of text.matchAll(/:(\d+)$/gm))
        counts.set(Number(found), (counts.get(Number(found)) ?? 0) + 1);
      return counts;
    },
  };
}

export interface Mail extends Service {
  received: string[];
}

export async function startMail(): Promise<Mail> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        received.push(...session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Kills a process and its children, as in a power failure. */
export function killTree(pid: number): void {
  const children = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .flatMap(([child]) => child ?? []);
  process.kill(pid, 'SIGKILL');
  for (const child of children) process.kill(child, 'SIGKILL');
}
