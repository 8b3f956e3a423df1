import type { CallSignal } from '@mozhan/contract/client.ts';

export interface SessionStore {
  readToken: () => string;
  storeToken: (token: string) => void;
  /** Called when the server no longer knows the token. */
  clearSession: () => void;
  /** Called when the server answers that a session is required. */
  clearUser: () => void;
}

/** `rpc` is sent as a POST with the entire input as its body. */
export const httpMethods = ['get', 'post', 'delete', 'put', 'patch', 'head', 'options', 'rpc'] as const;
export type HttpMethod = (typeof httpMethods)[number];

export interface HttpOptions {
  /** Query parameters: arrays become repeated keys, dates ISO texts, objects JSON; missing values are omitted. */
  params?: Record<string, unknown>;
  /** The request body: objects and arrays are sent as JSON or form-encoded, anything else unchanged. */
  data?: unknown;
  requestType?: 'json' | 'form';
  responseType?: 'json' | 'text' | 'blob';
  headers?: Record<string, string>;
  credentials?: RequestCredentials;
  timeout?: number;
  timeoutMessage?: string;
  signal?: CallSignal;
  /** Caches the response to a visitor's GET for `ttl` milliseconds; responses to signed-in users are never cached. */
  useCache?: boolean;
  ttl?: number;
  /** Lets the request finish after the page is left. */
  keepalive?: boolean;
  /** The caller handles errors itself. */
  skipErrorHandler?: boolean;
}

type ErrorName = 'Timeout' | 'ParseError' | 'HttpError' | 'NetworkError' | 'BizError';

/** An error of a request; `data` is the response body as far as it could be read. */
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
const MAX_CACHED = 100;

const toParamText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

export function toQuery(input: Record<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(key, toParamText(one));
    }
  }
  return query;
}

const isPlainData = (data: unknown): data is Record<string, unknown> | unknown[] =>
  Array.isArray(data) || (typeof data === 'object' && data !== null && data.constructor === Object);

function toBody(
  data: unknown,
  requestType: 'json' | 'form',
): { body: BodyInit | undefined; type: string | null } {
  if (!isPlainData(data)) return { body: data as BodyInit | undefined, type: null };
  if (requestType === 'form') {
    return {
      body: toQuery(data as Record<string, unknown>).toString(),
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    };
  }
  return { body: JSON.stringify(data), type: 'application/json;charset=UTF-8' };
}

/** Aborts the fetch on timeout or on the caller's signal, and throws a different error for each. */
async function fetchWithTimeout(
  url: string,
  init: RequestInit,
  { timeout = TIMEOUT_MS, timeoutMessage, signal }: HttpOptions,
  fetcher: typeof fetch,
): Promise<{ response: Response; text: () => Promise<string>; blob: () => Promise<Blob> }> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    abort();
  }, timeout);
  signal?.addEventListener('abort', abort);
  const settle = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  const explain = (cause: unknown): never => {
    settle();
    if (isTimedOut)
      throw new RequestError('Timeout', timeoutMessage ?? `timeout of ${timeout}ms exceeded`, { url, cause });
    if (signal?.aborted) throw new DOMException('cancelled', 'AbortError');
    throw new RequestError('NetworkError', 'network error', { url, cause });
  };
  if (signal?.aborted) abort();
  const response = await fetcher(url, { ...init, signal: controller.signal }).catch(explain);
  const read = <T>(body: Promise<T>) => body.catch(explain).finally(settle);
  return { response, text: () => read(response.text()), blob: () => read(response.blob()) };
}

/** Stores the token of a response, unless the token has been replaced since the request was sent. */
export function storeResponseToken(session: SessionStore, token: string | null, sent: string): void {
  if (token === null || session.readToken() !== sent) return;
  if (token === '') session.clearSession();
  else session.storeToken(token);
}

const isRefusal = (data: unknown): data is { success: false; errorMessage?: string } =>
  typeof data === 'object' && data !== null && 'success' in data && data.success === false;

export interface Http extends Record<HttpMethod, (path: string, options?: HttpOptions) => Promise<unknown>> {}

export interface HttpSetup {
  /** '' or '/blog'; the calls are below `/api/`. */
  basePath: string;
  session: SessionStore;
  /** Called with every error whose call does not set `skipErrorHandler`. */
  onError?: (error: unknown) => void;
  fetcher?: typeof fetch;
}

/** Sends requests to the API: returns the response envelope and throws on a refusal or failure. */
export function createHttp({ basePath, session, onError, fetcher = fetch }: HttpSetup): Http {
  const cached = new Map<string, { until: number; data: unknown }>();

  function cacheResponse(key: string, data: unknown, ttl: number): void {
    if (cached.size >= MAX_CACHED) cached.clear();
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
    const { response, text, blob } = await fetchWithTimeout(url, init, options, fetcher);
    storeResponseToken(session, response.headers.get('token'), sent);
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
    const isCacheable = options.useCache === true && method === 'get' && token === '';
    const key = `${path}?${query}`;
    const hit = isCacheable ? cached.get(key) : undefined;
    if (hit !== undefined && hit.until > Date.now()) return hit.data;
    query.set('t', String(Date.now()));
    try {
      const data = await read(`${basePath}/api/${path}?${query}`, method, options, token);
      if (isCacheable && session.readToken() === '') cacheResponse(key, data, options.ttl ?? CACHE_MS);
      return data;
    } catch (error) {
      if (options.skipErrorHandler !== true && (error as Error).name !== 'AbortError') onError?.(error);
      throw error;
    }
  }

  return Object.fromEntries(
    httpMethods.map((method) => [
      method,
      (path: string, options?: HttpOptions) => send(method, path, options),
    ]),
  ) as unknown as Http;
}
