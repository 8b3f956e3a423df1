import { asCallError } from './errors.ts';

/** A refused call is an answer; only a failed one is worth asking again, once. */
export const worthRetrying = (failures: number, error: Error): boolean =>
  failures < 1 && (asCallError(error)?.status ?? 500) >= 500;
