/** Entry point of child processes: a worker (`WORKERS`), or the process that fills an empty database. */
import { serveAsWorker } from './serve.ts';

await serveAsWorker(process.argv[2]);
