import type { Transport, TransportRequest } from '#contract/client.ts';
import { CallError, type ErrorCode, errors, type ShowType } from '#contract/errors.ts';

/** The stored session as the transport needs it. */
export interface SessionStore {
  readToken: () => string;
  storeToken: (token: string) => void;
  /** The server no longer knows the token. */
  forgetSession: () => void;
  /** A call was refused for want of a session. */
  forgetUser: () => void;
}

interface Answer {
  status: number;
  header: (name: string) => string | null;
  text: string;
}

type Envelope =
  | { success: true; data: unknown }
  | {
      success: false;
      errorCode?: string;
      errorMessage?: string;
      showType?: ShowType;
      data?: { fields?: Record<string, string> };
    };

const TIMEOUT_MS = 20_000;

const offline = (cause?: unknown) =>
  new CallError('UNAVAILABLE', { message: '网络没有连上，请检查后再试', cause });
const tooSlow = () => new CallError('TIMEOUT', { message: '等了太久没有回应，请稍后再试' });
const cancelled = () => new DOMException('cancelled', 'AbortError');

/** Arrays as repeated keys, objects as JSON text, nothing for what is not given. */
function toQuery(input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      query.append(key, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  }
  return query;
}

const isKnown = (code: string | undefined): code is ErrorCode => code !== undefined && code in errors;

/** For an answer that is not ours: a proxy's page, or a code that a newer server has. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 502 || status === 503) return 'UNAVAILABLE';
  const known = (Object.keys(errors) as ErrorCode[]).find((code) => errors[code][0] === status);
  return status !== 200 && known !== undefined ? known : 'INTERNAL';
}

function parseEnvelope({ text, status }: Answer): Envelope {
  try {
    const envelope = JSON.parse(text) as Envelope | null;
    if (typeof envelope?.success === 'boolean') return envelope;
  } catch {
    // Not JSON: told by the status below.
  }
  throw new CallError(codeOfStatus(status));
}

/** The data of a successful answer; a refused one is thrown. */
function open(answer: Answer, session: SessionStore, sent: string): unknown {
  const token = answer.header('token');
  // A late answer about an old token says nothing of the one that has replaced it.
  const isCurrent = session.readToken() === sent;
  if (token === '' && isCurrent) session.forgetSession();
  else if (token !== null && token !== '' && isCurrent) session.storeToken(token);

  const envelope = parseEnvelope(answer);
  if (envelope.success) return envelope.data;
  const code = isKnown(envelope.errorCode) ? envelope.errorCode : codeOfStatus(answer.status);
  if (code === 'SIGN_IN_REQUIRED' && isCurrent) session.forgetUser();
  const retryAfter = Number(answer.header('retry-after') ?? Number.NaN);
  throw new CallError(code, {
    message: envelope.errorMessage,
    showType: envelope.showType,
    fields: envelope.data?.fields,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

interface Prepared {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function prepare(basePath: string, token: string, request: TransportRequest): Prepared {
  const { method, path, input, file } = request;
  const inQuery = method === 'GET' || method === 'DELETE' || file !== undefined;
  const query = toQuery(inQuery ? input : {});
  query.set('t', String(Date.now()));
  const headers: Record<string, string> = { accept: 'application/json' };
  if (token !== '') headers.token = token;
  if (!inQuery) headers['content-type'] = 'application/json';
  return {
    url: `${basePath}/api/${path}?${query}`,
    method,
    headers,
    body: inQuery ? undefined : JSON.stringify(input),
  };
}

async function send({ url, ...init }: Prepared, signal: AbortSignal | undefined, fetcher: typeof fetch) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    abort();
  }, TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  try {
    if (signal?.aborted) throw cancelled();
    const response = await fetcher(url, { ...init, credentials: 'same-origin', signal: controller.signal });
    const text = await response.text();
    return { status: response.status, header: (name: string) => response.headers.get(name), text };
  } catch (error) {
    if (slow) throw tooSlow();
    if (signal?.aborted) throw cancelled();
    throw offline(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Only XMLHttpRequest tells how much of a file has gone out. */
function upload({ url, method, headers }: Prepared, { file, onProgress, signal }: TransportRequest) {
  return new Promise<Answer>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText,
      });
    request.onerror = () => reject(offline());
    request.onabort = () => reject(cancelled());
    signal?.addEventListener('abort', () => request.abort());
    const body = new FormData();
    if (file !== undefined) body.append('file', file);
    request.send(body);
  });
}

/** Calls over HTTP, for the browser. */
export function createBrowserTransport(
  basePath: string,
  session: SessionStore,
  fetcher: typeof fetch = fetch,
): Transport {
  return async (request) => {
    const token = session.readToken();
    const prepared = prepare(basePath, token, request);
    const answer =
      request.file === undefined
        ? await send(prepared, request.signal, fetcher)
        : await upload(prepared, request);
    return open(answer, session, token);
  };
}
