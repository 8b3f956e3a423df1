import { asCallError } from './errors.ts';

/** Retries once, and only after a failure of the network or the server. */
export const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 1 && (asCallError(error)?.status ?? 500) >= 500;
