/**
 * `npm run operator-path`: the path of a new operator, by the commands of the Chinese documents, in an empty folder: installs
 * version 0.1.0 as a service behind nginx with TLS, configures mail, publishes an essay, makes a backup, updates to the
 * present version, restores the backup, and goes back to 0.1.0. Paths, ports, the certificate and the mail server are
 * replaced by local ones; systemd, which may not be running, by `operator/service.ts`. Needs root, like the documents.
 */
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestSmtp } from '@mozhan/server/testing/smtp.ts';
import { run } from '../scripts/process.mjs';
import { beginStep, print, tail } from '../scripts/progress.mjs';
import { findMissingPrograms, root } from '../scripts/tools.ts';
import { openDocument } from './operator/documents.ts';
import {
  createCertificate,
  createVisitor,
  reloadNginx,
  startNginx,
  stopNginx,
  type Visitor,
  waitForProxy,
} from './operator/proxy.ts';
import { asUser, createService, readPairs, userEnvironment } from './operator/service.ts';
import { freePort } from './servers.ts';

/** Version 0.1.0 has no tag in older clones. */
const FIRST_RELEASE = 'b6f25e79';
const DOMAIN = 'blog.example.com';
const USER = 'mozhan';
const PASSWORD = 'an operator of the new site';
const TITLE = '站长的第一篇文章';
const PROGRAMS = ['nginx', 'caddy', 'logrotate', 'systemd-analyze', 'openssl', 'git', 'setpriv', 'useradd'];

const install = openDocument('docs/install.zh-CN.md');
const update = openDocument('docs/update.zh-CN.md');
const backup = openDocument('docs/backup.zh-CN.md');
const mail = openDocument('docs/mail.zh-CN.md');
const security = openDocument('docs/security.zh-CN.md');

const folder = mkdtempSync(join(tmpdir(), 'mozhan-operator-'));
const program = join(folder, 'opt/mozhan');
const etc = join(folder, 'etc');
/** The public repository. */
const origin = join(folder, 'origin.git');
const settings = join(etc, 'mozhan.env');
const unit = join(etc, 'systemd/system/mozhan.service');
const journalPath = join(folder, 'journal');
const cache = join(folder, 'cache');

/** The places of this machine for those in the documents. */
const replacements: [string | RegExp, string][] = [
  [/^git clone https:\S+/, `git clone file://${origin}`],
  [/(?<![\w-])\/opt\/mozhan/g, program],
  [/(?<=[\s>=-])\/etc\//g, `${etc}/`],
  ['你的域名', DOMAIN],
  [/(?<=git checkout )v0\.1\.0/, FIRST_RELEASE],
];
const localize = (command: string): string =>
  replacements.reduce(
    (changed, [from, to]) => changed.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to),
    command,
  );

/** `systemd-run` of the documents, which does not work where systemd is not running. */
const SYSTEMD_RUN =
  /^systemd-run --pty --collect --uid=(\S+) --working-directory=(\S+) -p EnvironmentFile=(\S+) (.*)$/;
const SUDO = /^sudo -u (\S+) (.*)$/;

async function runCommand(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  const { code, output } = await run(command, args, { cwd, env, timeout: 20 * 60_000 });
  if (code !== 0) throw new Error(`exit code ${code}: ${args.at(-1)}\n${tail(output, 40)}`);
  return output;
}

/** Runs a command of a document; `sudo` and `systemd-run` without the environment of this process, as they do. */
async function execute(command: string, cwd = folder): Promise<string> {
  const local = localize(command);
  const runAs = (user: string, line: string, folder: string, variables: Record<string, string>) =>
    runCommand('setpriv', [...asUser(user), 'bash', '-ec', line], folder, {
      ...userEnvironment(user),
      npm_config_cache: cache,
      ...variables,
    });
  const [, serviceUser, serviceFolder = '', file = '', serviceLine = ''] = SYSTEMD_RUN.exec(local) ?? [];
  if (serviceUser !== undefined)
    return runAs(serviceUser, serviceLine, serviceFolder, readPairs(readFileSync(file, 'utf8')));
  const [, user, line = ''] = SUDO.exec(local) ?? [];
  if (user !== undefined) return runAs(user, line, cwd, {});
  return runCommand('bash', ['-ec', local], cwd, { ...process.env, npm_config_cache: cache });
}

/** A command with the user, the folder and the settings of the service. */
const asService = (command: string): string =>
  install('systemd-run').replace('npm run backup', () => command);

let steps = 0;
async function step(title: string, work: () => Promise<string>): Promise<void> {
  steps += 1;
  const running = beginStep(`[${steps}]`, title);
  try {
    running.done(await work());
  } catch (error) {
    running.fail();
    // Before the clean-up, which takes a while.
    print(error instanceof Error ? `${error.stack}` : String(error));
    throw error;
  }
}

function requireEqual(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, found ${String(actual)}`);
}

/** Tries again, because a process that waits for the end of PostgreSQL lives a second longer. */
async function removeUser(): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { code } = await run('userdel', ['--remove', USER], { cwd: '/' });
    if (code === 0) return;
    await sleep(1000);
  }
  throw new Error(`the user ${USER} could not be removed`);
}

type Call = (method: string, path: string, json?: object) => Promise<Record<string, unknown>>;

function createCall(visitor: Visitor, session: { token?: string }): Call {
  return async (method, path, json) => {
    const response = await visitor.https(`/api/core/${path}`, { method, json, ...session });
    const { success, data, errorMessage } = JSON.parse(response.body);
    if (success !== true) throw new Error(`${method} ${path}: ${response.status} ${errorMessage}`);
    if (typeof response.headers.token === 'string') session.token = response.headers.token;
    return data;
  };
}

const readEssay = async (visitor: Visitor, id: unknown): Promise<number> => {
  const { status, body } = await visitor.https(`/essay/detail/${id}.html`);
  if (status === 200 && !body.includes(TITLE)) throw new Error('the page of the essay has no title');
  return status;
};

async function main(): Promise<void> {
  const smtp = await startTestSmtp();
  const ports = { http: await freePort(), https: await freePort(), site: await freePort() };
  let nginx: Awaited<ReturnType<typeof startNginx>> | undefined;
  let service: ReturnType<typeof createService> | undefined;
  const running = () => {
    if (service === undefined) throw new Error('not installed');
    return service;
  };
  let createdUser = false;
  let essayId: unknown;
  let backupFile = '';
  const updateBackups = () =>
    readdirSync(join(program, 'data/backups')).filter((name) => name.startsWith('mozhan-update-'));
  const { certificate, key } = createCertificate(folder, DOMAIN);
  const visitor = createVisitor(DOMAIN, ports, certificate);
  const session: { token?: string } = {};
  const call = createCall(visitor, session);
  const present = (await execute(`git -C ${root} rev-parse HEAD`)).trim();

  try {
    await step('user, program 0.1.0 and settings', async () => {
      const { code } = await run('id', [USER], { cwd: folder });
      if (code !== 0) {
        await execute(install('useradd'));
        createdUser = true;
      }
      mkdirSync(join(folder, 'opt'));
      mkdirSync(join(etc, 'systemd/system'), { recursive: true });
      for (const name of ['nginx/conf.d', 'caddy', 'logrotate.d'])
        mkdirSync(join(etc, name), { recursive: true });
      mkdirSync(cache);
      await execute(`git clone --quiet --bare file://${root} ${origin}`);
      await execute(install('git clone'));
      await execute(update('sudo -u mozhan git checkout v0.1.0').replace('sudo -u mozhan ', ''), program);
      await execute(install('chown'));
      // `git fetch` refuses repositories of other users.
      await execute(`chown -R ${USER}: ${origin}`);
      await execute(`chown ${USER}: ${cache}`);
      await execute(install('cat > /etc/mozhan.env'));
      await execute(install('chmod 600 /etc/mozhan.env'));
      requireEqual(statSync(settings).mode & 0o777, 0o600, 'mode of the settings');
      // The line of the document, with our mail server; the other lines are for this machine.
      const smtpLine = mail('SMTP_URL=').replace(/=.*/, `=${smtp.url}`);
      appendFileSync(settings, `${smtpLine}\nPORT=${ports.site}\nCHALLENGE=off\nUPDATE_BACKUP=on\n`);
      return 'done';
    });

    await step('service: unit verified, first start', async () => {
      // The unit of the present version; that of 0.1.0 runs the same commands without a sandbox.
      await execute(install('cp /opt/mozhan/deploy/mozhan.service').replace('/opt/mozhan', root));
      writeFileSync(unit, localize(readFileSync(unit, 'utf8')).replaceAll('/var/cache/mozhan', cache));
      service = createService(unit, journalPath);
      await service.start();
      const problems = await execute(install('systemd-analyze verify'));
      requireEqual(problems.trim(), '', 'problems that systemd-analyze finds');
      return 'started';
    });

    await step('nginx with TLS in front; Caddy, logrotate and journal samples are valid', async () => {
      for (const name of ['Caddyfile', 'nginx-single.conf', 'logrotate.conf'])
        writeFileSync(join(program, 'deploy', name), readFileSync(join(root, 'deploy', name)));
      await execute(install("sed 's/blog.example.com/你的域名/' /opt/mozhan/deploy/nginx-single.conf"));
      const config = join(etc, 'nginx/conf.d/mozhan.conf');
      const withCertificate = readFileSync(config, 'utf8')
        .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, certificate)
        .replace(/\/etc\/letsencrypt\S+privkey\.pem/, key);
      writeFileSync(config, withCertificate);
      nginx = await startNginx(folder, config, ports);
      await waitForProxy(visitor);
      const redirect = await visitor.http('/home?a=b');
      requireEqual(redirect.status, 301, 'status of HTTP');
      requireEqual(redirect.headers.location, `https://${DOMAIN}/home?a=b`, 'target of HTTP');
      const home = await visitor.https('/home');
      requireEqual(home.status, 200, 'status of the home page');
      requireEqual(home.headers['strict-transport-security'], 'max-age=31536000', 'HSTS');

      await execute(install("sed 's/blog.example.com/你的域名/' /opt/mozhan/deploy/Caddyfile"));
      await execute(install('caddy validate'));
      await execute(install('cp /opt/mozhan/deploy/logrotate.conf'));
      const rotation = await execute(`${install('logrotate -d')} 2>&1`);
      if (/error:/.test(rotation)) throw new Error(rotation);
      await execute(
        `rm ${['Caddyfile', 'nginx-single.conf', 'logrotate.conf'].map((name) => join(program, 'deploy', name)).join(' ')}`,
      );
      return 'HTTPS, HSTS, redirect';
    });

    await step('administrator: one-time password from the journal, mail address by a code', async () => {
      const line =
        running()
          .journal()
          .split('\n')
          .find((each) => each.includes('管理员')) ?? '';
      const oldPassword = /一次性密码：([\w-]+)/.exec(line)?.[1] ?? '';
      await call('POST', 'account/login', { account: 'admin', password: oldPassword });
      await call('PUT', 'account/password', { oldPassword, newPassword: PASSWORD });
      await call('POST', 'account/reauth', { method: 'password', password: PASSWORD });
      const target = `admin@${DOMAIN}`;
      await call('POST', 'account/code', { purpose: 'bind', target });
      await call('PUT', 'account/code', { purpose: 'bind', target, code: await smtp.waitForCode(target) });
      return `mail received by ${target}`;
    });

    await step('first essay, read by a visitor over TLS', async () => {
      const categories = Object.values(await call('GET', 'sys/category/')) as { id: string }[];
      const fields = {
        title: TITLE,
        content: '## 开头\n\n装好了，写一篇。\n',
        categoryId: categories[0]?.id,
      };
      essayId = (await call('POST', 'essay/', { ...fields, status: 1 })).id;
      for (const status of [2, 3]) await call('PUT', 'essay/status', { id: essayId, status });
      requireEqual(await readEssay(visitor, essayId), 200, 'status of the essay');
      return `/essay/detail/${essayId}.html`;
    });

    await step('backup, and a rehearsal of its restore', async () => {
      backupFile = join(program, 'data', `site-${randomBytes(3).toString('hex')}.tar`);
      const command = backup('npm run backup -- --to').replace('/mnt/site.tar', backupFile);
      await execute(asService(command));
      // The rehearsal needs none of the settings of the site.
      const rehearsal = security('DATA_DIR=rehearsal')
        .replace('DATA_DIR=rehearsal', `DATA_DIR=${join(cache, 'rehearsal')}`)
        .replace('/media/usb', join(program, 'data'))
        .replace('site.tar', backupFile);
      const checked = await execute(`sudo -u ${USER} ${rehearsal}`, program);
      if (!checked.includes('账本、订单与提现都相符')) throw new Error(checked);
      return `restored elsewhere, ${(statSync(backupFile).size / 1024).toFixed(0)} KB`;
    });

    await step('update to the present version, with a backup made by itself', async () => {
      await execute(update('sudo -u mozhan git fetch'), program);
      await execute(update('sudo -u mozhan git checkout v0.2.0').replace('v0.2.0', present), program);
      requireEqual(await running().stop(), 0, 'exit code of 0.1.0');
      await running().start();
      requireEqual(updateBackups().length, 1, 'backups before the update');
      requireEqual(await readEssay(visitor, essayId), 200, 'status of the essay');
      const { version, update: last } = (await call('GET', 'sys/health/')).process as Record<string, unknown>;
      requireEqual((last as { from?: string } | null)?.from, '0.1.0', 'version before the update');
      return `0.1.0 to ${version}, ${updateBackups()[0]}`;
    });

    await step('restore: what was written after the backup is gone', async () => {
      await call('PUT', 'essay/status', { id: essayId, status: 4 });
      requireEqual(await readEssay(visitor, essayId), 404, 'status of the essay off the shelf');
      requireEqual(await running().stop(), 0, 'exit code');
      const command = backup('npm run restore -- backups/').replace(
        'backups/mozhan-20261116-040000.tar',
        backupFile,
      );
      await execute(asService(`${command} --replace --yes --check`));
      await running().start();
      requireEqual(await readEssay(visitor, essayId), 200, 'status of the essay');
      return 'the essay is back';
    });

    await step('page cache in nginx: pages are cached, calls are not', async () => {
      if (nginx === undefined) throw new Error('nginx does not run');
      const path = `/essay/detail/${essayId}.html`;
      const stateOf = async (path: string) => (await visitor.https(path)).headers['x-cache'];
      requireEqual(await stateOf(path), undefined, 'state without the cache');
      await execute(install("sed -i 's/proxy_cache off;"));
      reloadNginx(folder, nginx);
      const deadline = Date.now() + 60_000;
      while ((await stateOf(path)) !== 'HIT')
        if (Date.now() > deadline) throw new Error('no page came from the cache');
      for (const call of ['/api/core/essay/', '/api/core/essay/'])
        requireEqual(await stateOf(call), undefined, 'state of a call');
      return 'HIT';
    });

    await step('back to 0.1.0 by the backup that preceded the update', async () => {
      requireEqual(await running().stop(), 0, 'exit code');
      const command = update('systemd-run').replace(/mozhan-update-\S+\.tar/, updateBackups()[0] ?? '');
      await execute(`${command} --yes`);
      await execute(update('sudo -u mozhan git checkout v0.1.0'), program);
      await running().start();
      requireEqual(await readEssay(visitor, essayId), 200, 'status of the essay');
      requireEqual(await running().stop(), 0, 'exit code');
      return '0.1.0 runs, the essay is there';
    });
    print('The path of a new operator works.');
  } finally {
    await service?.stop();
    if (nginx !== undefined) await stopNginx(nginx);
    smtp.close();
    rmSync(folder, { recursive: true, force: true });
    if (createdUser) await removeUser();
  }
}

const missing = findMissingPrograms(PROGRAMS);
if (process.getuid?.() !== 0) {
  print('Needs root, because it creates a user and runs commands as that user.');
  process.exitCode = 1;
} else if (missing.length > 0) {
  print(`Needs ${missing.join(', ')}: apt-get install nginx caddy logrotate systemd openssl git`);
  process.exitCode = 1;
} else {
  // The user of the service must be able to enter it.
  chmodSync(folder, 0o755);
  await main();
}
