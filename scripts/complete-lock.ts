/**
 * Adds optional packages for other systems to package-lock.json that npm omitted because its registry lacks them:
 * `npm ci` of npm 11 rejects a lock file without them. Run it after adding or updating packages; `--check` only
 * reports. The entries have no checksum, because nothing is downloaded.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from './progress.mjs';
import { root } from './tools.ts';

interface Package {
  version?: string;
  dev?: boolean;
  devOptional?: boolean;
  license?: string;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
}

const SYSTEM = /\b(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)/;
const PROCESSOR = /\b(arm64|arm|ia32|loong64|mips64el|ppc64|riscv64|s390x|wasm32|x64)\b/;

const path = join(root, 'package-lock.json');
const lock: { packages: Record<string, Package> } = JSON.parse(readFileSync(path, 'utf8'));

/** Follows Node's resolution: in the node_modules of the dependent or of a parent folder. */
function isLocked(dependent: string, name: string): boolean {
  const above = dependent.lastIndexOf('/node_modules/');
  const here = dependent === '' ? `node_modules/${name}` : `${dependent}/node_modules/${name}`;
  if (here in lock.packages) return true;
  return dependent !== '' && isLocked(above < 0 ? '' : dependent.slice(0, above), name);
}

/** Keys are in npm's order. */
function toEntry(name: string, version: string, { dev, devOptional, license }: Package): Package {
  const cpu = PROCESSOR.exec(name)?.[1];
  const os = SYSTEM.exec(name)?.[1];
  if (!/^\d+\.\d+\.\d/.test(version) || !cpu || !(os || cpu === 'wasm32')) {
    throw new Error(`${name}@${version} has no recognizable system; add it by hand`);
  }
  const libc = /musl/.test(name) ? 'musl' : /-gnu\b/.test(name) ? 'glibc' : undefined;
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev }),
    ...(devOptional && { devOptional }),
    ...(libc && { libc: [libc] }),
    ...(license && { license }),
    optional: true,
    ...(os && { os: [os] }),
  };
}

const added: string[] = [];
for (const [dependent, one] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(one.optionalDependencies ?? {})) {
    if (isLocked(dependent, name)) continue;
    lock.packages[`node_modules/${name}`] = toEntry(name, version, one);
    added.push(name);
  }
}
if (process.argv.includes('--check')) {
  if (added.length > 0) {
    print(`package-lock.json lacks ${added.join(', ')}\nrun node scripts/complete-lock.ts`);
    process.exitCode = 1;
  }
} else {
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  print(added.length > 0 ? `${added.length} packages added: ${added.join(', ')}` : 'no package is missing');
}
