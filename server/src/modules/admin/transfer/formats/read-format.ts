import { on } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { CallError } from '@mozhan/contract/errors.ts';
import { TIME_LIMIT_FACTOR } from '../../../../config/time-limits.ts';
import { createThreadPool, isThreadTerminated } from '../../../../threads/threads.ts';
import type {
  AnalysisPart,
  FormatJob,
  NameBatch,
  WorkerReply,
  WorkerRequest,
  WorkerResult,
} from './format-worker.ts';
import type { FormatName } from './formats.ts';
import type { ImportedItem, Upload } from './types.ts';

/** Longer than any regular file needs per essay, even on a busy machine. */
const TIMEOUT_MS = 60_000 * TIME_LIMIT_FACTOR;

const pool = createThreadPool<FormatJob, void>({
  file: new URL('./format-worker.ts', import.meta.url),
  // Enough for the export of an entire site, which is one text.
  memoryMb: 1024,
  // An import usually follows its check; starting a thread takes as long as reading a small blog.
  idleMs: 30_000,
  // The maximum number of concurrent long jobs.
  threads: 2,
});

const titleOf = (item: ImportedItem): string => item.title || (item.kind === 'site' ? '' : item.key);

const tooComplexError = (last: string, cause?: unknown): CallError => {
  const where = last === '' ? '这个文件' : `「${last}」之后的内容`;
  return new CallError('INVALID', { message: `${where}太大或太复杂，无法读取`, cause });
};

const NAMES_PER_BATCH = 1000;

type Source = Upload & { sizeOf?: (name: string) => number };

function listNames(upload: Source, from: number): NameBatch {
  const names = upload.names().slice(from, from + NAMES_PER_BATCH);
  return {
    names,
    times: names.map((name) => upload.modifiedAt(name) ?? Number.NaN),
    sizes: names.map((name) => upload.sizeOf?.(name) ?? 0),
  };
}

async function answer(upload: Source, request: WorkerRequest): Promise<WorkerReply> {
  if ('namesFrom' in request) return listNames(upload, request.namesFrom);
  try {
    if ('requestedStart' in request) return { start: await upload.readStart(request.requestedStart) };
    return { content: await upload.readContent(request.requestedName, request.maxBytes) };
  } catch (error) {
    if (!(error instanceof CallError && error.code === 'INVALID')) throw error;
    return { error: error.message };
  }
}

/**
 * Reads another program's archive in a worker thread, so that it does not block requests, and terminates the thread if
 * it takes too long or too much memory.
 */
async function* runWorker(
  upload: Source,
  { format, isAnalysis, timeoutMs }: Omit<FormatJob, 'port'> & { timeoutMs: number },
): AsyncGenerator<WorkerResult> {
  const { port1: port, port2 } = new MessageChannel();
  const stop = new AbortController();
  const messages = on(port, 'message', { close: ['close'] });
  const job: FormatJob = { format, isAnalysis, port: port2 };
  // An error in the thread closes the port and is handled below.
  const done = pool.run(job, { transferList: [port2], signal: stop.signal }).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  void done.then(() => port.close());
  const startTimer = () => setTimeout(() => stop.abort(), timeoutMs);
  let timer = startTimer();
  let last = '';
  try {
    for await (const [message] of messages as AsyncIterable<[WorkerRequest | WorkerResult]>) {
      clearTimeout(timer);
      let reply: WorkerReply = null;
      if ('item' in message || 'part' in message || 'detected' in message) {
        if ('item' in message) last = titleOf(message.item);
        yield message;
      } else reply = await answer(upload, message);
      port.postMessage(reply, reply !== null && 'content' in reply ? [reply.content] : []);
      timer = startTimer();
    }
    const failure = await done;
    if (failure !== null)
      throw isThreadTerminated(failure.error, stop.signal)
        ? tooComplexError(last, failure.error)
        : failure.error;
  } finally {
    clearTimeout(timer);
    stop.abort();
    await done;
  }
}

export async function* readFormat(
  format: FormatName,
  upload: Upload,
  timeoutMs = TIMEOUT_MS,
): AsyncGenerator<ImportedItem> {
  for await (const message of runWorker(upload, { format, isAnalysis: false, timeoutMs }))
    if ('item' in message) yield message.item;
}

/** Counts what an archive contains; its texts stay in the worker thread. */
export async function* analyseFormat(
  format: FormatName,
  upload: Upload & { sizeOf: (name: string) => number },
): AsyncGenerator<AnalysisPart> {
  for await (const message of runWorker(upload, { format, isAnalysis: true, timeoutMs: TIMEOUT_MS }))
    if ('part' in message) yield message.part;
}

/** Null if no format recognizes the archive. */
export async function findFormat(upload: Upload): Promise<FormatName | null> {
  let found: FormatName | null = null;
  for await (const message of runWorker(upload, { format: null, isAnalysis: false, timeoutMs: TIMEOUT_MS }))
    if ('detected' in message) found = message.detected;
  return found;
}
