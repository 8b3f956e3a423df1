import { describeFailure } from '@mozhan/client/failures.ts';

/** A sentence to show in the place where something is missing. */
export function sentenceOf(error: unknown): string {
  const shown = describeFailure(error);
  if (shown.show === 'page') return shown.message;
  return shown.show === 'nothing' ? '没有加载出来，请稍后再试' : shown.text;
}
