import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProxyPorts {
  http: number;
  https: number;
  site: number;
}

/** A certificate of our own, where an operator would run certbot. */
export function createCertificate(folder: string, domain: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'fullchain.pem'), join(folder, 'privkey.pem')];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${domain}`];
  execFileSync(
    'openssl',
    [...args, '-addext', `subjectAltName=DNS:${domain}`, '-keyout', key, '-out', certificate],
    {
      stdio: 'ignore',
    },
  );
  return { certificate, key };
}

/** Starts nginx with the configuration of the site, on free ports and without touching the system's nginx. */
export async function startNginx(
  folder: string,
  siteConfig: string,
  ports: ProxyPorts,
): Promise<ChildProcess> {
  const changed = readFileSync(siteConfig, 'utf8')
    .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${ports.http};`)
    .replaceAll(/listen (\[::\]:)?443 /g, `listen $1${ports.https} `)
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${ports.site}`)
    .replaceAll('/var/cache/', `${join(folder, 'var/cache')}/`);
  writeFileSync(siteConfig, changed);
  const main = join(folder, 'nginx.conf');
  mkdirSync(join(folder, 'temp'), { recursive: true });
  // A new Debian has no folders in it for nginx.
  mkdirSync(join(folder, 'var/cache'), { recursive: true });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temp', name)};`)
    .join(' ');
  writeFileSync(
    main,
    `daemon off; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'error.log')};
events {} http { access_log off; ${temporary} include ${siteConfig}; }\n`,
  );
  testNginx(folder);
  return spawn('nginx', ['-c', main], { stdio: 'ignore' });
}

/** `nginx -t` of a document. */
function testNginx(folder: string): void {
  execFileSync('nginx', ['-t', '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' });
}

/** `nginx -t` and `systemctl reload nginx` of a document. */
export function reloadNginx(folder: string, nginx: ChildProcess): void {
  testNginx(folder);
  nginx.kill('SIGHUP');
}

export async function stopNginx(nginx: ChildProcess): Promise<void> {
  if (nginx.exitCode !== null) return;
  const exited = once(nginx, 'exit');
  nginx.kill('SIGQUIT');
  await exited;
}

export interface ProxyResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Visitor {
  http: (path: string) => Promise<ProxyResponse>;
  https: (
    path: string,
    options?: { method?: string; json?: object; token?: string },
  ) => Promise<ProxyResponse>;
}

/** Requests as of a browser that resolves the domain to this machine and trusts the certificate. */
export function createVisitor(domain: string, ports: ProxyPorts, certificate: string): Visitor {
  const send = async (
    request: typeof httpRequest,
    port: number,
    path: string,
    { method = 'GET', json, token }: { method?: string; json?: object; token?: string } = {},
  ): Promise<ProxyResponse> => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = {
      host: domain,
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      ...(token === undefined ? {} : { token }),
    };
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      headers,
      servername: domain,
      ca: readFileSync(certificate),
      // A new connection for each request: nginx closes open ones when it reads its configuration again.
      agent: false,
    };
    const sent = request(options).end(body);
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  return {
    http: (path) => send(httpRequest, ports.http, path),
    https: (path, options) => send(httpsRequest, ports.https, path, options),
  };
}

export async function waitForProxy(visitor: Visitor): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const isUp = await visitor.http('/').then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error('nginx does not respond');
}
