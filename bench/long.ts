/**
 * `npm run bench:long`: what takes hours.
 *
 * `growth [small large]`: what every GET call, public page and list costs on a site of 10,000 essays and on one of a
 * million; what costs more than 1.1 × is shown. `--only TEXT` measures the requests whose name has the text.
 *
 * Data goes to a temporary folder, or to `--folder`, where it is kept.
 */
import { parseArgs } from 'node:util';
import { growth } from './growth.ts';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, folder: { type: 'string' } },
  allowPositionals: true,
});
const [part, ...numbers] = positionals;
const [first, second] = numbers.map(Number);

if (part === undefined || part === 'growth')
  await growth([first ?? 10_000, second ?? 1_000_000], values.only, values.folder);
process.exit();
