/**
 * `node bench/generate.ts essays users folder`: fills an installation with essays, users and their activity. Essays
 * repeat the demo texts: one in fifty as rendered, the others as plain paragraphs, which is the size of most essays;
 * titles, tags, times, counts and authors vary.
 */
import { fill } from './fill.ts';

const [total = 100_000, writers = 50_000] = process.argv.slice(2, 4).map(Number);
const dataDir = process.argv[4];
if (dataDir === undefined) throw new Error('node bench/generate.ts essays users folder');
await fill(dataDir, { total, writers });
process.exit(0);
