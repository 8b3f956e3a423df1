/**
 * `npm run bench:long`: what takes hours.
 *
 * `growth [small large]`: what every GET call, public page and list costs on a site of 10,000 essays and on one of a
 * million; what costs more than 1.1 × is shown. `--only TEXT` measures the requests whose name has the text.
 *
 * `soak [minutes]`: an hour of mixed use at half of what the machine can do; memory and p99 for every five minutes, and
 * whether they stay as they are.
 *
 * Data goes to a temporary folder, or to `--folder`, where it is kept and used again.
 */
import { parseArgs } from 'node:util';
import { growth } from './growth.ts';
import { soak } from './soak.ts';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const [part, ...numbers] = positionals;
const [first, second] = numbers.map(Number);

if (part === undefined || part === 'growth')
  await growth([first ?? 10_000, second ?? 1_000_000], values.only, values.folder);
if (part === undefined || part === 'soak') await soak(part === undefined ? 60 : (first ?? 60));
process.exit();
