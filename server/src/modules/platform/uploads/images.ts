import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { invalid } from '@mozhan/contract/errors.ts';
import { type Caller, createFairQueue, JobAborted } from '../../../threads/fair-queue.ts';

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

const LOST = '这张图片无法处理，请换一张';
const SLOW = '这张图片很久没有处理完，请换一张小一些的';

/** Rejects when the process crashes or is stopped. */
function ask(job: ImageJob, stop: AbortSignal): Promise<ImageAnswer> {
  clearTimeout(idle);
  const child = worker ?? startWorker();
  worker = child;
  child.channel?.ref();
  return new Promise<ImageAnswer>((resolve, reject) => {
    const end = (settle: () => void): void => {
      stop.removeEventListener('abort', kill);
      child.off('message', onAnswer);
      child.off('exit', onExit);
      child.channel?.unref();
      idle = setTimeout(endWorker, IDLE_MS);
      idle.unref();
      settle();
    };
    const kill = () => child.kill('SIGKILL');
    const onAnswer = (answer: unknown) => end(() => resolve(answer as ImageAnswer));
    const onExit = () => end(() => reject(new JobAborted(LOST)));
    stop.addEventListener('abort', kill);
    child.on('message', onAnswer);
    child.on('exit', onExit);
    child.send(job, (error) => {
      if (error !== null) onExit();
    });
  });
}

function endWorker(): void {
  const child = worker;
  worker = null;
  child?.kill();
}

/** One picture at a time: unpacked they are large, and readers' requests come first. */
const inTurn = createFairQueue({
  maxWaiting: 30,
  maxWaitingPerCaller: 6,
  // A picture takes well under a second; whoever uploads it waits for the answer.
  timeoutMs: 10_000,
  busyMessage: '正在处理的图片太多，请稍后再试',
});

/** A crash, a hang or an end at the wrong moment is one refused picture. */
export async function readImage(caller: Caller, job: ImageJob, timeoutMs?: number): Promise<Image> {
  const work = (stop: AbortSignal) =>
    ask(job, stop).catch((error: unknown) => {
      throw stop.aborted ? new JobAborted(SLOW) : error;
    });
  const answer = await inTurn(caller, work, timeoutMs).catch((error: unknown): ImageAnswer => {
    if (error instanceof JobAborted) return { refused: error.message };
    throw error;
  });
  if ('refused' in answer) throw invalid('file', answer.refused);
  return answer;
}
