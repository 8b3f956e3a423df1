import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../servers.ts';

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
  /** Number of requests per server port since the last call. */
  countByServer: () => Promise<Map<number, number>>;
}

/** Uses `deploy/nginx.conf` with other ports. */
export async function startNginx(folder: string, servers: number[]): Promise<Nginx> {
  const port = await freePort();
  const template = await readFile(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8');
  const log = join(folder, 'access.log');
  const config = template
    .replace('access_log off;', `log_format server '$upstream_addr'; access_log ${log} server;`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/app(\d):9000/g, (_, nth: string) => `127.0.0.1:${servers[Number(nth) - 1]}`)
    .replace(
      'http {',
      `http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`,
    );
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'nginx.conf');
  await writeFile(path, config);
  const args = ['-p', folder, '-c', path, '-e', join(folder, 'error.log')];
  const child = spawn('nginx', [...args, '-g', `daemon off; pid ${folder}/nginx.pid;`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await waitForPort(child, port);
  let read = 0;
  return {
    url: `http://127.0.0.1:${port}`,
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
