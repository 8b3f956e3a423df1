import type { CallError } from '@mozhan/contract/errors.ts';

/** By name, not by class: the server's in-process calls, and other chunks, may throw a copy of the class of their own. */
export const asCallError = (error: unknown): CallError | undefined =>
  error instanceof Error && error.name === 'CallError' ? (error as CallError) : undefined;
