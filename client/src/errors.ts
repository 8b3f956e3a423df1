import type { CallError, ErrorCode } from '@mozhan/contract/errors.ts';

/** Compares the name, not the class: the server's in-process calls and other chunks have their own copy of it. */
export function asCallError(error: unknown): CallError | undefined {
  return error instanceof Error && error.name === 'CallError' ? (error as CallError) : undefined;
}

export const hasErrorCode = (error: unknown, ...codes: ErrorCode[]): boolean => {
  const code = asCallError(error)?.code;
  return code !== undefined && codes.includes(code);
};

/** A message for the reader. Errors other than CallError are bugs, so their message is not displayed. */
export const errorMessageOf = (error: unknown): string =>
  asCallError(error)?.message ?? '出了点问题，请刷新页面后再试';
