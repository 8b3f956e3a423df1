import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { invalid } from '#contract/errors.ts';

export interface ImageJob {
  content: Buffer;
  /** Drawn by ourselves: may be SVG, which nobody else's may. */
  isDrawing: boolean;
}

export interface Image {
  full: Buffer;
  thumb: Buffer;
  width: number;
  height: number;
}

/** The picture, or the sentence that says what is wrong with what was sent. */
export type ImageAnswer = Image | { refused: string };

const TIMEOUT_MS = 20_000;
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
  child.on('exit', () => {
    if (worker === child) worker = null;
  });
  // A server that is done must not wait for it.
  child.unref();
  child.channel?.unref();
  return child;
}

function ask(job: ImageJob): Promise<ImageAnswer> {
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
    const onExit = () => end({ refused: '这张图片无法处理，请换一张' });
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
    child.on('message', onAnswer);
    child.on('exit', onExit);
    child.send(job);
  });
}

let queue: Promise<unknown> = Promise.resolve();

/** One picture at a time: unpacked they are large, and readers' requests come first. */
export function readImage(job: ImageJob): Promise<Image> {
  const result = queue.then(async () => {
    clearTimeout(idle);
    const answer = await ask(job);
    idle = setTimeout(() => worker?.kill(), IDLE_MS);
    idle.unref();
    if ('refused' in answer) throw invalid('file', answer.refused);
    return answer;
  });
  queue = result.catch(() => {});
  return result;
}
