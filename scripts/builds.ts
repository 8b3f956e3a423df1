import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { beginStep, localize, print, tail } from './progress.mjs';
import { root, runTool } from './tools.ts';

/** Packages with a vite.config.ts, which are built into `dist`, and their other sources. */
const BUILD_TARGETS = {
  web: ['client', 'editor'],
  admin: ['client', 'editor'],
  server: ['postgres', 'web', 'admin', 'scripts'],
};

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
/** The best quality, 11, takes longer than the build itself, for two percent fewer bytes. */
const BROTLI = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 10 } };

type BuildTarget = keyof typeof BUILD_TARGETS;
const TARGET_NAMES = Object.keys(BUILD_TARGETS) as BuildTarget[];
/** Sources of all packages, including this build script. */
const SHARED_SOURCES = ['contract', 'package.json', 'package-lock.json', 'scripts/builds.ts'];

/** Builds the pages and the server if their sources changed. Prints the error and returns false on failure. */
export async function buildIfStale(label: string): Promise<boolean> {
  // Several targets share sources.
  const listOnce = memoize(listFiles);
  const timeOnce = memoize(fileTimeOf);
  const stale = TARGET_NAMES.map((target) => buildStateOf(target, listOnce, timeOnce)).filter(
    ({ isBuilt }) => !isBuilt,
  );
  if (stale.length === 0) {
    print(`${label} ${localize('已构建', 'built')}`);
    return true;
  }
  const step = beginStep(label, localize('构建', 'building'));
  // Files are compressed while the next package is built.
  const compressing: Promise<void>[] = [];
  for (const { target, stamp } of stale) {
    // Without the stamp, an interrupted build runs again.
    rmSync(stampPath(target), { force: true });
    const args = ['build', '--app', '--config', `${target}/vite.config.ts`];
    const { code, output } = await runTool('vite', args, { env: { NODE_ENV: 'production' } });
    if (code !== 0) {
      step.fail();
      const why = localize(
        '没有构建成功，原因见上面 Vite 的输出。',
        'The build failed; Vite says why above.',
      );
      print(`${tail(output, 60)}\n\n${why}`);
      return false;
    }
    const compressed = target === 'server' ? Promise.resolve() : compressAssets(target);
    compressing.push(compressed.then(() => writeStamp(target, stamp)));
  }
  await Promise.all(compressing);
  step.done();
  return true;
}

/** Writes compressed copies next to each file, so that requests need no compression. */
async function compressAssets(target: BuildTarget): Promise<void> {
  const folder = join(root, target, 'dist/client/assets');
  const names = (await readdir(folder)).filter((each) => /\.(js|css|svg|json)$/.test(each));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      await writeFile(`${path}.gz`, await gzip(content, { level: 9 }));
      await writeFile(`${path}.br`, await brotli(content, BROTLI));
    }),
  );
}

const stampPath = (target: BuildTarget) => join(root, target, 'dist/.stamp');

interface Stamp {
  /** Hash of names, sizes and times: fast, but changes after a checkout of the same sources. */
  times: string;
  contents: string;
}

function writeStamp(target: BuildTarget, stamp: Stamp): void {
  writeFileSync(stampPath(target), JSON.stringify(stamp));
}

interface BuildState {
  target: BuildTarget;
  /** Of the sources before the build: a file that changes during the build is built again. */
  stamp: Stamp;
  isBuilt: boolean;
}

function memoize<T>(read: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const value = known.get(path) ?? read(path);
    known.set(path, value);
    return value;
  };
}

function buildStateOf(
  target: BuildTarget,
  list: (path: string) => string[],
  timeOf: (path: string) => string,
): BuildState {
  const files = [target, ...BUILD_TARGETS[target], ...SHARED_SOURCES].flatMap(list).sort();
  const built = readStamp(target);
  // One call of the hash function instead of thousands.
  const times = files.map((path) => {
    const time = timeOf(path);
    return `${path} ${time}\n`;
  });
  const timesHash = createHash('sha256').update(times.join('')).digest('hex');
  if (built?.times === timesHash) return { target, stamp: built, isBuilt: true };
  const stamp: Stamp = { times: timesHash, contents: hashContents(files) };
  const isBuilt = built?.contents === stamp.contents;
  try {
    if (isBuilt) writeStamp(target, stamp);
  } catch {
    // Only an optimization; the checkout may be read-only.
  }
  return { target, stamp, isBuilt };
}

function readStamp(target: BuildTarget): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(stampPath(target), 'utf8'));
  } catch {
    return undefined;
  }
}

function fileTimeOf(path: string): string {
  const { size, mtimeMs } = statSync(`${root}/${path}`);
  return `${size} ${mtimeMs}`;
}

function hashContents(paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(path: string): string[] {
  if (/\.(json|ts|css)$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const inner = `${path}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : listFiles(inner);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [inner];
  });
}
