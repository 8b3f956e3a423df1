/**
 * `node bench/generate.ts essays users folder`: fills an installation with many essays and people, and with what they do.
 * Essays repeat the demo's texts: one in fifty as it was laid out, the others as plain paragraphs, which is what most
 * essays weigh; titles, tags, times, counts and authors vary.
 */
import { fill } from './fill.ts';

const [total = 100_000, writers = 50_000] = process.argv.slice(2, 4).map(Number);
const dataDir = process.argv[4];
if (dataDir === undefined) throw new Error('node bench/generate.ts essays users folder');
await fill(dataDir, { total, writers });
process.exit(0);
