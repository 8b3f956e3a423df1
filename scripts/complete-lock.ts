/**
 * Adds to package-lock.json the optional packages for other systems that npm left out because its registry did not
 * have them: `npm ci` of npm 11 refuses a lock file without them, and another system needs them. Run it after adding
 * or updating packages; `--check` only looks. Without a checksum, since nothing was downloaded.
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

/** As Node resolves it: beside the package that asks, or in a folder above. */
function isLocked(asker: string, name: string): boolean {
  const above = asker.lastIndexOf('/node_modules/');
  const here = asker === '' ? `node_modules/${name}` : `${asker}/node_modules/${name}`;
  if (here in lock.packages) return true;
  return asker !== '' && isLocked(above < 0 ? '' : asker.slice(0, above), name);
}

/** In npm's own order of keys. */
function toEntry(name: string, version: string, { dev, devOptional, license }: Package): Package {
  const cpu = PROCESSOR.exec(name)?.[1];
  const os = SYSTEM.exec(name)?.[1];
  if (!/^\d+\.\d+\.\d/.test(version) || !cpu || !(os || cpu === 'wasm32')) {
    throw new Error(`${name}@${version} does not say for which system it is; add it by hand`);
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
for (const [asker, one] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(one.optionalDependencies ?? {})) {
    if (isLocked(asker, name)) continue;
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
