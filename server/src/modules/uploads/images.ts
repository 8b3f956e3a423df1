import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { CallError, invalid } from '#contract/errors.ts';

export interface ImageJob {
  content: Buffer;
  /** Drawn by ourselves: may be SVG, which nobody else's may. */
  isDrawing: boolean;
}

export interface Image {
  full: Buffer;
  thumb: Buffer;
  /** Between the two, for the screens of phones; none where the picture is no larger. */
  middle: Buffer | null;
  width: number;
  height: number;
}

/** The picture, or the sentence that says what is wrong with what was sent. */
export type ImageAnswer = Image | { refused: string };

/** A picture takes well under a second; whoever uploads it waits for the answer. */
const TIMEOUT_MS = 10_000;
const MAX_WAITING = 20;
/** Kept a little for the next picture, then gone with all its memory. */
const IDLE_MS = 10_000;

let worker: ChildProcess | null = null;
let idle: NodeJS.Timeout | undefined;

function startWorker(): ChildProcess {
  const child = fork(join(import.meta.dirname, 'image-worker.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // It needs none of the settings, some of which are secret.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  for (const event of ['exit', 'disconnect', 'error']) child.on(event, () => forget(child));
  // A server that is done must not wait for it.
  child.unref();
  child.channel?.unref();
  return child;
}

function forget(child: ChildProcess): void {
  if (worker === child) worker = null;
}

const SLOW: ImageAnswer = { refused: '这张图片很久没有处理完，请换一张小一些的' };
/** A crash or an end at the wrong moment is one refused picture. */
const LOST: ImageAnswer = { refused: '这张图片无法处理，请换一张' };

function ask(job: ImageJob, timeoutMs: number): Promise<ImageAnswer> {
  const child = worker ?? startWorker();
  worker = child;
  child.channel?.ref();
  return new Promise((resolve) => {
    const end = (answer: ImageAnswer): void => {
      clearTimeout(timer);
      child.off('message', onAnswer);
      child.off('exit', onExit);
      child.channel?.unref();
      resolve(answer);
    };
    const onAnswer = (answer: unknown) => end(answer as ImageAnswer);
    let isSlow = false;
    const onExit = () => end(isSlow ? SLOW : LOST);
    const timer = setTimeout(() => {
      isSlow = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.on('message', onAnswer);
    child.on('exit', onExit);
    child.send(job, (error) => {
      if (error !== null) end(LOST);
    });
  });
}

let queue: Promise<unknown> = Promise.resolve();
let waiting = 0;

function endWorker(): void {
  const child = worker;
  worker = null;
  child?.kill();
}

/** One picture at a time: unpacked they are large, and readers' requests come first. */
export function readImage(job: ImageJob, timeoutMs = TIMEOUT_MS): Promise<Image> {
  if (waiting >= MAX_WAITING)
    throw new CallError('UNAVAILABLE', { message: '正在处理的图片太多，请稍后再试', retryAfter: 5 });
  waiting += 1;
  const result = queue.then(async () => {
    clearTimeout(idle);
    const answer = await ask(job, timeoutMs).finally(() => {
      waiting -= 1;
    });
    idle = setTimeout(endWorker, IDLE_MS);
    idle.unref();
    if ('refused' in answer) throw invalid('file', answer.refused);
    return answer;
  });
  queue = result.catch(() => {});
  return result;
}
