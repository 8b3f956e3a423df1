import type { CallError, ErrorCode } from '@mozhan/contract/errors.ts';

/** By name, not by class: the server's in-process calls, and other chunks, throw their own copy of the class. */
export function asCallError(error: unknown): CallError | undefined {
  return error instanceof Error && error.name === 'CallError' ? (error as CallError) : undefined;
}

export const hasCode = (error: unknown, ...codes: ErrorCode[]): boolean => {
  const code = asCallError(error)?.code;
  return code !== undefined && codes.includes(code);
};

/** A sentence for the reader. Errors that are not a refused call are our own bugs and stay unnamed. */
export const messageOf = (error: unknown): string =>
  asCallError(error)?.message ?? '出了点问题，请刷新页面后再试';
