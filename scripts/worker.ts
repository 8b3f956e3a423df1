/** One of the processes of `WORKERS`, started by the first. */
import { serveAsWorker } from './serve.ts';

await serveAsWorker();
