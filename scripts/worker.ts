/** A process that the first one starts: one of `WORKERS`, or the one that fills an empty database. */
import { serveAsWorker } from './serve.ts';

await serveAsWorker(process.argv[2]);
