/**
 * `npm run bench:long`: benchmarks that take hours.
 *
 * `growth [small large]`: compares the cost of every GET call, public page and list on sites with 10,000 and with a
 * million essays; prints those that cost more than 1.1 ×. `--only TEXT` filters requests by name.
 *
 * `soak [minutes]`: an hour of mixed use at half of the maximum rate; prints memory and p99 every five minutes, and
 * whether they are stable.
 *
 * Data is in a temporary folder, or in `--folder`, which is not removed and used again.
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

if (part !== undefined && part !== 'growth' && part !== 'soak') {
  console.error(
    'usage: npm run bench:long [-- growth [small large] | soak [minutes]] [--only TEXT] [--folder FOLDER]',
  );
  process.exit(2);
}

if (part === undefined || part === 'growth')
  await growth([first ?? 10_000, second ?? 1_000_000], values.only, values.folder);
if (part === undefined || part === 'soak') await soak(part === undefined ? 60 : (first ?? 60));
process.exit();
