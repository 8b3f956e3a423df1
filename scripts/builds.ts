import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beginStep, print, said, tail } from './progress.mjs';
import { root, runTool } from './tools.ts';

/** Packages with a vite.config.ts, built into their `dist`, and what else each is made of. */
const PARTS = {
  web: ['client', 'editor'],
  admin: ['client', 'editor'],
  server: ['postgres', 'web', 'admin', 'scripts'],
};
type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];
/** What all are made of; how they are built counts as well. */
const SHARED = ['contract', 'package.json', 'package-lock.json', 'scripts/builds.ts'];

/** Builds the pages and the server, unless their sources are those of the last build. False: it failed, and said why. */
export async function buildStale(label: string): Promise<boolean> {
  const stale = PART_NAMES.map(stateOf).filter(({ isBuilt }) => !isBuilt);
  if (stale.length === 0) {
    print(`${label} ${said('已构建', 'built')}`);
    return true;
  }
  const step = beginStep(label, said('构建', 'building'));
  for (const { part, files } of stale) {
    // An interrupted build leaves no stamp, and is done again.
    rmSync(stampOf(part), { force: true });
    const args = ['build', '--app', '--config', `${part}/vite.config.ts`];
    const { code, output } = await runTool('vite', args, { env: { NODE_ENV: 'production' } });
    if (code !== 0) {
      step.fail();
      const why = said('没有构建成功，原因见上面 Vite 的输出。', 'The build failed; Vite says why above.');
      print(`${tail(output, 60)}\n\n${why}`);
      return false;
    }
    if (part !== 'server') compressAssets(join(root, part, 'dist/client/assets'));
    writeStamp(part, files);
  }
  step.done();
  return true;
}

/** Beside each file its packed forms, made once here instead of at every request. */
function compressAssets(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => /\.(js|css|svg|json)$/.test(each))) {
    const path = join(folder, name);
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content));
  }
}

const stampOf = (part: Part) => join(root, part, 'dist/.stamp');

interface Stamp {
  /** Names, sizes and times: quick to compare, but other after a checkout of the same sources. */
  times: string;
  contents: string;
}

function writeStamp(part: Part, files: string[]): void {
  const stamp: Stamp = { times: hashOf(files, timeOf), contents: hashOf(files, contentOf) };
  writeFileSync(stampOf(part), JSON.stringify(stamp));
}

function stateOf(part: Part): { part: Part; files: string[]; isBuilt: boolean } {
  const files = [part, ...PARTS[part], ...SHARED].flatMap(listFiles).sort();
  const stamp = readStamp(part);
  if (stamp?.times === hashOf(files, timeOf)) return { part, files, isBuilt: true };
  const isBuilt = stamp?.contents === hashOf(files, contentOf);
  try {
    if (isBuilt) writeStamp(part, files);
  } catch {
    // Only to be quicker next time; the checkout may belong to somebody else.
  }
  return { part, files, isBuilt };
}

function readStamp(part: Part): Stamp | undefined {
  try {
    return JSON.parse(readFileSync(stampOf(part), 'utf8'));
  } catch {
    return undefined;
  }
}

const contentOf = (path: string) => readFileSync(join(root, path));

function timeOf(path: string): string {
  const { size, mtimeMs } = statSync(join(root, path));
  return `${size} ${mtimeMs}`;
}

function hashOf(paths: string[], read: (path: string) => string | Buffer): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = read(path);
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
