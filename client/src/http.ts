import type { CallSignal } from '@mozhan/contract/client.ts';

/** The stored session as requests need it. */
export interface SessionStore {
  readToken: () => string;
  storeToken: (token: string) => void;
  /** The server no longer knows the token. */
  forgetSession: () => void;
  /** A call was refused for want of a session. */
  forgetUser: () => void;
}

/** `rpc` is a POST by another name: the whole input travels as its body. */
export const methods = ['get', 'post', 'delete', 'put', 'patch', 'head', 'options', 'rpc'] as const;
export type HttpMethod = (typeof methods)[number];

export interface HttpOptions {
  /** Into the address: arrays as repeated keys, dates as ISO, objects as JSON text, nothing for what is not given. */
  params?: Record<string, unknown>;
  /** The body of a write: an object or array, sent as JSON or form-encoded. Anything else is sent as it is. */
  data?: unknown;
  requestType?: 'json' | 'form';
  responseType?: 'json' | 'text' | 'blob';
  headers?: Record<string, string>;
  credentials?: RequestCredentials;
  timeout?: number;
  timeoutMessage?: string;
  signal?: CallSignal;
  /** Keeps the answer to a visitor's GET for `ttl`; what a signed-in reader gets is never kept. */
  useCache?: boolean;
  ttl?: number;
  /** Goes on when the page is left. */
  keepalive?: boolean;
  /** The caller deals with the error itself. */
  skipErrorHandler?: boolean;
}

type ErrorName = 'Timeout' | 'ParseError' | 'HttpError' | 'NetworkError' | 'BizError';

/** What a request failed with; `data` is what the answer said, as far as it could be read. */
export class RequestError extends Error {
  override readonly name: ErrorName;
  readonly url: string;
  readonly response: Response | undefined;
  readonly data: unknown;

  constructor(
    name: ErrorName,
    message: string,
    detail: { url: string; response?: Response; data?: unknown; cause?: unknown },
  ) {
    super(message, { cause: detail.cause });
    this.name = name;
    this.url = detail.url;
    this.response = detail.response;
    this.data = detail.data;
  }
}

const TIMEOUT_MS = 20_000;
const CACHE_MS = 60_000;
const MOST_CACHED = 100;

const asText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

export function toQuery(input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(key, asText(one));
    }
  }
  return query;
}

const isPlain = (data: unknown): data is Record<string, unknown> | unknown[] =>
  Array.isArray(data) || (typeof data === 'object' && data !== null && data.constructor === Object);

function toBody(
  data: unknown,
  requestType: 'json' | 'form',
): { body: BodyInit | undefined; type: string | null } {
  if (!isPlain(data)) return { body: data as BodyInit | undefined, type: null };
  if (requestType === 'form') {
    return {
      body: toQuery(data as Record<string, unknown>).toString(),
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  }
  return { body: JSON.stringify(data), type: 'application/json;charset=UTF-8' };
}

/** Stops the fetch when the time is up or the caller gives up, and tells the two apart. */
async function fetchInTime(
  url: string,
  init: RequestInit,
  { timeout = TIMEOUT_MS, timeoutMessage, signal }: HttpOptions,
  fetcher: typeof fetch,
): Promise<{ response: Response; text: () => Promise<string>; blob: () => Promise<Blob> }> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, timeout);
  signal?.addEventListener('abort', abort);
  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  const explain = (cause: unknown): never => {
    settle();
    if (late)
      throw new RequestError('Timeout', timeoutMessage ?? `timeout of ${timeout}ms exceeded`, { url, cause });
    if (signal?.aborted) throw new DOMException('cancelled', 'AbortError');
    throw new RequestError('NetworkError', 'network error', { url, cause });
  };
  if (signal?.aborted) abort();
  const response = await fetcher(url, { ...init, signal: controller.signal }).catch(explain);
  const read = <T>(body: Promise<T>) => body.catch(explain).finally(settle);
  return { response, text: () => read(response.text()), blob: () => read(response.blob()) };
}

/** The token an answer carries; a late one about an old token says nothing of the one that has replaced it. */
export function takeToken(session: SessionStore, token: string | null, sent: string): void {
  if (token === null || session.readToken() !== sent) return;
  if (token === '') session.forgetSession();
  else session.storeToken(token);
}

const isRefusal = (data: unknown): data is { success: false; errorMessage?: string } =>
  typeof data === 'object' && data !== null && 'success' in data && data.success === false;

export interface Http extends Record<HttpMethod, (path: string, options?: HttpOptions) => Promise<unknown>> {}

export interface HttpSetup {
  /** '' or '/blog'; calls live below `/api/`. */
  basePath: string;
  session: SessionStore;
  /** Told of every error whose call does not skip it. */
  onError?: (error: unknown) => void;
  fetcher?: typeof fetch;
}

/** Requests to the product's calls: the envelope, read; a refusal or failure, thrown. */
export function createHttp({ basePath, session, onError, fetcher = fetch }: HttpSetup): Http {
  const cached = new Map<string, { until: number; data: unknown }>();

  function keep(key: string, data: unknown, ttl: number): void {
    if (cached.size >= MOST_CACHED) cached.clear();
    cached.set(key, { until: Date.now() + ttl, data });
  }

  async function read(url: string, method: HttpMethod, options: HttpOptions, sent: string): Promise<unknown> {
    const { body, type } = toBody(
      method === 'get' || method === 'head' ? undefined : options.data,
      method === 'rpc' ? 'json' : (options.requestType ?? 'json'),
    );
    const headers: Record<string, string> = { accept: 'application/json', ...options.headers };
    if (type !== null) headers['content-type'] ??= type;
    if (sent !== '') headers.token = sent;
    const init: RequestInit = {
      method: method === 'rpc' ? 'POST' : method.toUpperCase(),
      headers,
      body,
      credentials: options.credentials ?? 'same-origin',
      ...(options.keepalive && { keepalive: true }),
    };
    const { response, text, blob } = await fetchInTime(url, init, options, fetcher);
    takeToken(session, response.headers.get('token'), sent);
    if (options.responseType === 'blob' && response.ok) return blob();
    const content = await text();
    if (options.responseType === 'text' && response.ok) return content;
    return parse(content, method, response, url);
  }

  function parse(content: string, method: HttpMethod, response: Response, url: string): unknown {
    let data: unknown;
    try {
      data = content === '' && (method === 'head' || response.status === 204) ? null : JSON.parse(content);
    } catch (cause) {
      if (response.ok)
        throw new RequestError('ParseError', 'JSON.parse error', { url, response, data: content, cause });
    }
    if (!response.ok) throw new RequestError('HttpError', 'http error', { url, response, data });
    if (isRefusal(data)) throw new RequestError('BizError', data.errorMessage ?? '', { url, response, data });
    return data;
  }

  async function send(method: HttpMethod, path: string, options: HttpOptions = {}): Promise<unknown> {
    const token = session.readToken();
    const query = toQuery(options.params ?? {});
    const mayKeep = options.useCache === true && method === 'get' && token === '';
    const key = `${path}?${query}`;
    const kept = mayKeep ? cached.get(key) : undefined;
    if (kept !== undefined && kept.until > Date.now()) return kept.data;
    query.set('t', String(Date.now()));
    try {
      const data = await read(`${basePath}/api/${path}?${query}`, method, options, token);
      if (mayKeep && session.readToken() === '') keep(key, data, options.ttl ?? CACHE_MS);
      return data;
    } catch (error) {
      if (options.skipErrorHandler !== true && (error as Error).name !== 'AbortError') onError?.(error);
      throw error;
    }
  }

  return Object.fromEntries(
    methods.map((method) => [method, (path: string, options?: HttpOptions) => send(method, path, options)]),
  ) as unknown as Http;
}
