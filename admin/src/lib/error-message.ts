import { describeError } from '@mozhan/client/error-display.ts';

/** Message to display in place of content that could not be loaded. */
export function errorMessage(error: unknown): string {
  const failure = describeError(error);
  if (failure.show === 'page') return failure.message;
  return failure.show === 'nothing' ? '没能载入，请稍后再试' : failure.text;
}
