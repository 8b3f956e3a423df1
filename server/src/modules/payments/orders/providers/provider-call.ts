import { CallError } from '@mozhan/contract/errors.ts';
import type { Services } from '../../../../ctx.ts';
import type { ProviderName } from './provider.ts';

export type ProviderServices = Pick<Services, 'config' | 'log' | 'clock'>;

/** Timeouts for responses and files; our own API calls end after 25 s. */
export const RESPONSE_TIMEOUT_MS = 8000;
export const DOWNLOAD_TIMEOUT_MS = 20_000;
/** Enough for statements of several hundred thousand lines. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Truncates error messages in the log, because they may quote the response. */
const MAX_LOGGED_LENGTH = 80;

/** An error response with the provider's code, as opposed to a network failure. */
export class ProviderError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ProviderError';
    this.code = code;
  }
}

/** Excludes keys and the response, which contains personal data. */
function toLogFields(error: unknown): object {
  if (error instanceof ProviderError)
    return { code: error.code, reason: error.message.slice(0, MAX_LOGGED_LENGTH) };
  if (!(error instanceof Error)) return { reason: typeof error };
  const cause = error.cause instanceof Error ? error.cause.message.slice(0, MAX_LOGGED_LENGTH) : undefined;
  return { reason: `${error.name}: ${error.message.slice(0, MAX_LOGGED_LENGTH)}`, cause };
}

/** Logs any failure and throws PAY_FAILED instead. */
export async function callProvider<T>(
  { log }: ProviderServices,
  provider: ProviderName,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallError) throw error;
    log.warn({ provider, what, ...toLogFields(error) }, 'payment provider');
    throw new CallError('PAY_FAILED');
  }
}

/** Enforces a maximum size and a timeout. */
export async function downloadFile(url: string, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
  if (!response.ok || response.body === null) throw new Error(`file: status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.byteLength;
    if (bytes > MAX_FILE_BYTES) throw new Error('file: too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
