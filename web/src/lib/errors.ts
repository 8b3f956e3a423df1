import { asCallError } from '@mozhan/client/call-error.ts';
import type { ErrorCode } from '@mozhan/contract/errors.ts';

export const hasCode = (error: unknown, ...codes: ErrorCode[]): boolean => {
  const code = asCallError(error)?.code;
  return code !== undefined && codes.includes(code);
};

/** A sentence for the reader. Errors that are not a refused call are our own bugs and stay unnamed. */
export const messageOf = (error: unknown): string =>
  asCallError(error)?.message ?? '出了点问题，请刷新页面后再试';
