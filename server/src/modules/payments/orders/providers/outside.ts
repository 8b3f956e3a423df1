import { CallError } from '@mozhan/contract/errors.ts';
import type { Services } from '../../../../ctx.ts';
import type { ProviderName } from './provider.ts';

/** What a provider needs of the process. */
export type Ground = Pick<Services, 'config' | 'log' | 'clock'>;

/** How long we wait for an answer, and for a file; a call that waits for us gives up after 25 s. */
export const ANSWER_MS = 8000;
export const FILE_MS = 20_000;
/** Of a bill: several hundred thousand lines. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Of a sentence in the log: answers that cannot be read are quoted in them. */
const MAX_REASON = 80;

/** A refusal with the provider's own code, to be told from a failure on the way. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }
}

/** What of it goes to the log: neither keys nor the answer, which names people. */
function toLogged(error: unknown): object {
  if (error instanceof Refusal) return { code: error.code, reason: error.message.slice(0, MAX_REASON) };
  if (!(error instanceof Error)) return { reason: typeof error };
  const cause = error.cause instanceof Error ? error.cause.message.slice(0, MAX_REASON) : undefined;
  return { reason: `${error.name}: ${error.message.slice(0, MAX_REASON)}`, cause };
}

/** Whatever goes wrong out there is one error to those who call, and a line in the log. */
export async function outside<T>(
  { log }: Ground,
  provider: ProviderName,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallError) throw error;
    log.warn({ provider, what, ...toLogged(error) }, 'payment provider');
    throw new CallError('PAY_FAILED');
  }
}

/** A file that is not too large, within its time. */
export async function download(url: string, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(FILE_MS) });
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
