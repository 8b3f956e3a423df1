/** Turns tsc's output in `dist` into an npm package: Node does not strip types of packages in node_modules. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const { name, version, description, license, type, dependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(folder, 'package.json'), 'utf8'),
);
const exports = { '.': { types: './embedded.d.ts', default: './embedded.js' } };
const manifest = { name, version, description, license, type, exports, dependencies, optionalDependencies };
writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(join(folder, 'README.md'), join(folder, 'dist/README.md'));
