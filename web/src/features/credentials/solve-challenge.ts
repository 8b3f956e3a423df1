import { CallError } from '@mozhan/contract/errors.ts';
import type { Solution } from 'altcha-lib/types';
import ChallengeWorker from './challenge.worker.ts?worker';

export type WorkerResult = { solution: Solution | null } | { error: string };

const failed = (cause: unknown) =>
  new CallError('CHALLENGE_FAILED', { message: '安全验证没能完成，请刷新页面后再试', cause });

/** Runs off the main thread, so that typing stays responsive. */
export function solveInWorker(challenge: Record<string, unknown>): Promise<Solution> {
  const worker = new ChallengeWorker();
  const done = new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerResult>) => {
      if ('solution' in data && data.solution !== null) resolve(data.solution);
      else reject(failed('error' in data ? data.error : 'not solved in time'));
    };
    worker.onerror = (event) => reject(failed(event.message));
    worker.postMessage(challenge);
  });
  return done.finally(() => worker.terminate());
}
