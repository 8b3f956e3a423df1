/** Keeps node_modules in sync with package-lock.json. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { run } from './process.mjs';
import { beginStep, localize, print, tail } from './progress.mjs';

/** Printed without a stack. */
export class InstallError extends Error {}

/**
 * @typedef {object} Package as the lock file describes it
 * @property {string} [version]
 * @property {boolean} [link] a workspace package
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 * @property {string | string[]} [os]
 * @property {string | string[]} [cpu]
 * @property {string | string[]} [libc]
 */

const NODE_MAJOR = 24;
const STUCK_AFTER_MS = 90_000;
const NODE_MODULES = 'node_modules';
const STAMP = `${NODE_MODULES}/.installed`;
const WITHOUT_DEV = 'without dev ';
/** npm writes this file last; it lists the installed packages. */
const HIDDEN_LOCK = `${NODE_MODULES}/.package-lock.json`;

/**
 * @param {string} root
 * @param {{ label?: string, dev: boolean }} options `label`: number of the step; `dev`: with development packages
 */
export async function ensureInstalled(root, { label, dev }) {
  const lockText = readFileSync(join(root, 'package-lock.json'));
  const hash = createHash('sha256').update(lockText).digest('hex');
  const stamp = readIfExists(join(root, STAMP));
  if (stamp !== hash && (dev || stamp !== WITHOUT_DEV + hash)) {
    /** @type {Record<string, Package>} */
    const lock = JSON.parse(lockText.toString()).packages;
    if (!isUpToDate(root, lock, dev)) {
      await install(root, lock, { label: label ?? localize('[准备]', '[0]'), dev });
      writeFileSync(join(root, STAMP), dev ? hash : WITHOUT_DEV + hash);
      return;
    }
  }
  linkPinnedNode(root);
  if (label) print(`${label} ${localize('依赖已就绪', 'packages are installed')}`);
}

/** @param {string} path */
function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * False for the root and the workspaces, which the lock file lists as well.
 * @param {string} location
 */
const isInstalled = (location) => location.includes(`${NODE_MODULES}/`);

/**
 * Whether a manual `npm install` has already installed the packages of the lock file.
 * @param {string} root
 * @param {Record<string, Package>} lock
 * @param {boolean} dev
 */
function isUpToDate(root, lock, dev) {
  const hidden = readIfExists(join(root, HIDDEN_LOCK));
  if (!hidden || !findPinnedNode(root)) return false;
  /** @type {Record<string, Package>} */
  const installed = JSON.parse(hidden).packages;
  return Object.entries(lock).every(
    ([location, { version, link, optional, dev: isDev, devOptional }]) =>
      !isInstalled(location) ||
      optional ||
      ((isDev || devOptional) && !dev) ||
      (link ? existsSync(join(root, location)) : installed[location]?.version === version),
  );
}

/**
 * @param {string} root
 * @param {Record<string, Package>} lock
 * @param {{ label: string, dev: boolean }} options
 */
async function install(root, lock, { label, dev }) {
  // After an interruption the next start installs again.
  for (const path of [STAMP, HIDDEN_LOCK]) rmSync(join(root, path), { force: true });
  const expected = expectedFolders(lock, dev);
  const step = beginStep(label, localize('安装依赖', 'installing packages'));
  const since = performance.now();
  let waiting = expected;
  const counter = setInterval(() => {
    waiting = waiting.filter((location) => !existsSync(join(root, location, 'package.json')));
    const stuck = waiting.length === expected.length && performance.now() - since > STUCK_AFTER_MS;
    const hint = stuck
      ? localize('，还没有收到包，网络可能不通', ', none has come yet: is there a network?')
      : '';
    step.update(
      `${expected.length - waiting.length}/${expected.length} ${localize('个包', 'packages')}${hint}`,
    );
  }, 300);
  const [command, ...args] = npmCommand(root);
  const flags = [
    '--ignore-scripts',
    dev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--prefer-offline',
  ];
  // Otherwise npm retries for over a minute without a network.
  flags.push(
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=8000',
    '--loglevel=error',
    '--no-progress',
  );
  // A short kill delay, because npm's clean-up after an interruption is unnecessary.
  const { code, output } = await run(command, [...args, 'ci', ...flags], { cwd: root, killDelay: 500 });
  clearInterval(counter);
  if (code !== 0) {
    step.fail();
    throw new InstallError(`${tail(output, 25)}\n\n${adviceFor(output)}`);
  }
  step.done(localize(`完成，${expected.length} 个包`, `${expected.length} packages`));
  const missing = expected.filter((location) => !existsSync(join(root, location)));
  if (missing.length > 0)
    print(
      `      ${localize('没有装上可选的包：', 'optional packages that are missing: ')}${missing.map((name) => basename(name)).join(localize('、', ', '))}`,
    );
  linkPinnedNode(root);
}

/**
 * Folders of the packages for this system. An optional package without a system is a dependency of a package for
 * another system.
 * @param {Record<string, Package>} lock
 * @param {boolean} dev
 */
function expectedFolders(lock, dev) {
  const libc = findLibc();
  const fits = (/** @type {string | string[] | undefined} */ allowed, /** @type {string} */ actual) =>
    allowed === undefined || [allowed].flat().includes(actual);
  return Object.keys(lock).filter((location) => {
    const { link, optional, os, cpu, libc: wantedLibc, dev: isDev } = lock[location] ?? {};
    if (!isInstalled(location) || link || (optional && !os && !cpu) || (isDev && !dev)) return false;
    return fits(os, process.platform) && fits(cpu, process.arch) && fits(wantedLibc, libc);
  });
}

function findLibc() {
  if (process.platform !== 'linux') return '';
  // Otherwise the report resolves the host names of all connections.
  Object.assign(process.report, { excludeNetwork: true });
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Command line of the npm that runs this script, or of the one on the PATH. npm 9 (Debian 13) skips packages with a
 * `libc` field, so it is used only to run a newer npm.
 * @param {string} root
 * @returns {[string, ...string[]]}
 */
function npmCommand(root) {
  const { npm_execpath: cli = '', npm_node_execpath: node = process.execPath } = process.env;
  /** @type {[string, ...string[]]} */
  const npm = basename(cli) === 'npm-cli.js' ? [node, cli] : ['npm'];
  const [command, ...args] = npm;
  const { stdout } = spawnSync(command, [...args, '--version'], { cwd: root, encoding: 'utf8' });
  if (!stdout) {
    throw new InstallError(
      localize(
        '找不到 npm。请安装 Node 20 或更新的版本（自带 npm）。',
        'There is no npm. Node 20 or newer brings it.',
      ),
    );
  }
  return Number(stdout.split('.')[0]) >= 10 ? npm : [...npm, 'exec', '--yes', 'npm@10', '--'];
}

/** Advice by npm's error output, in Chinese and English. @type {[RegExp, string, string][]} */
const ADVICE = [
  [
    /\bE(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH)\b|ERR_SOCKET/,
    '连不上 npm 的软件源。请检查网络或代理后重试，也可以换用就近的镜像：npm config set registry <镜像地址>',
    'The npm registry cannot be reached. Check the network or proxy, or use a mirror: npm config set registry <address>',
  ],
  [
    /\bE(ACCES|PERM|ROFS)\b/,
    '没有写入这个目录的权限。请换成它的主人，或克隆到自己的目录后重试。',
    'This folder cannot be written to. Run as its owner, or clone into a folder of your own.',
  ],
  [
    /\bENOSPC\b/,
    '磁盘空间不足，安装约需 700 MB。请清理后重试。',
    'The disk is full; the packages take about 700 MB.',
  ],
  [
    /in sync/,
    'package-lock.json 与 package.json 不一致。请取回仓库里的这两个文件；若改过依赖，请先运行 npm install。',
    'package-lock.json does not fit package.json. Restore both, or run npm install after changing dependencies.',
  ],
  [
    /\bE(404|TARGET)\b/,
    '软件源里缺少需要的包。请换一个完整的软件源（npm config set registry …）后重试。',
    'The registry lacks a package. Use a complete one (npm config set registry …).',
  ],
  [
    /\bEINTEGRITY\b/,
    '下载的包与锁文件的校验值不符。请运行 npm cache clean --force 或更换软件源后重试。',
    'A package differs from the lock file. Run npm cache clean --force, or use another registry.',
  ],
  [
    /(?:)/,
    '安装没有成功，原因见上面 npm 的输出。处理后重新运行即可，会从头安装。',
    'The installation failed; npm says why above. Run again afterwards: it starts from the beginning.',
  ],
];

/** @param {string} output */
function adviceFor(output) {
  const [, chinese = '', english = ''] = ADVICE.find(([pattern]) => pattern.test(output)) ?? [];
  return localize(chinese, english);
}

/** @param {string} root */
function findPinnedNode(root) {
  return [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`]
    .map((name) => join(root, NODE_MODULES, name, 'bin/node'))
    .find((path) => existsSync(path));
}

/**
 * npm up to 11.0 removes this link together with the packages for other systems, which also contain a `node`.
 * @param {string} root
 */
function linkPinnedNode(root) {
  const node = findPinnedNode(root);
  const bin = join(root, NODE_MODULES, '.bin');
  const link = join(bin, 'node');
  if (!node || existsSync(link)) return;
  rmSync(link, { force: true });
  symlinkSync(relative(bin, node), link);
}

/**
 * Path of the pinned Node, or of the current one when no package exists for this system.
 * @param {string} root
 */
export function pinnedNode(root) {
  const node = findPinnedNode(root);
  if (node) return node;
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath;
  throw new InstallError(
    localize(
      `没有给 ${process.platform}-${process.arch} 的 Node ${NODE_MAJOR}。请先安装 Node ${NODE_MAJOR} 或更新的版本，再重试。`,
      `There is no Node ${NODE_MAJOR} for ${process.platform}-${process.arch}. Install Node ${NODE_MAJOR} or newer first.`,
    ),
  );
}
