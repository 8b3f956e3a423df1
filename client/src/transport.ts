import type { Transport, TransportRequest } from '@mozhan/contract/client.ts';
import { CallError, type ErrorCode, errorDefinitions, type ShowType } from '@mozhan/contract/errors.ts';
import {
  createHttp,
  type HttpMethod,
  type HttpSetup,
  RequestError,
  type SessionStore,
  storeResponseToken,
  toQuery,
} from './http.ts';

/** The body of a response that refuses a call. */
export interface Refusal {
  success: false;
  errorCode?: string;
  errorMessage?: string;
  showType?: ShowType;
  data?: { fields?: Record<string, string> };
}

const TIMEOUT_MESSAGE = '等了太久没有响应，请稍后再试';
const OFFLINE_MESSAGE = '网络没有连上，请检查后再试';

const isKnownCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && code in errorDefinitions;

/** For responses of a proxy, or with an error code that only a newer server knows. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 502 || status === 503) return 'UNAVAILABLE';
  const known = (Object.keys(errorDefinitions) as ErrorCode[]).find(
    (code) => errorDefinitions[code][0] === status,
  );
  return status !== 200 && known !== undefined ? known : 'INTERNAL';
}

const asRefusal = (data: unknown): Refusal | undefined =>
  typeof data === 'object' && data !== null && 'success' in data && data.success === false
    ? (data as Refusal)
    : undefined;

function toCallError(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  if (error.name === 'Timeout') return new CallError('TIMEOUT', { message: TIMEOUT_MESSAGE, cause: error });
  if (error.name === 'NetworkError')
    return new CallError('UNAVAILABLE', { message: OFFLINE_MESSAGE, cause: error });
  const status = error.response?.status ?? 500;
  const refusal = asRefusal(error.data);
  const retryAfter = Number(error.response?.headers.get('retry-after') ?? Number.NaN);
  return new CallError(isKnownCode(refusal?.errorCode) ? refusal.errorCode : codeOfStatus(status), {
    message: refusal?.errorMessage,
    showType: refusal?.showType,
    fields: refusal?.data?.fields,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    cause: error,
  });
}

/** Uses XMLHttpRequest because fetch does not report upload progress. */
function createUploader({ basePath, session }: HttpSetup) {
  return ({ method, path, input, file, onProgress, signal }: TransportRequest) =>
    new Promise<unknown>((resolve, reject) => {
      const url = `${basePath}/api/${path}?${toQuery({ ...input, t: Date.now() })}`;
      const token = session.readToken();
      const request = new XMLHttpRequest();
      request.open(method, url);
      request.responseType = 'json';
      if (token !== '') request.setRequestHeader('token', token);
      request.upload.onprogress = (event) => {
        if (event.lengthComputable) onProgress?.(event.loaded / event.total);
      };
      request.onload = () => {
        storeResponseToken(session, request.getResponseHeader('token'), token);
        const data: unknown = request.response;
        const retryAfter = request.getResponseHeader('retry-after');
        const response = new Response(null, {
          status: request.status,
          headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
        });
        if (response.ok && asRefusal(data) === undefined && data !== null) resolve(data);
        else reject(new RequestError('HttpError', 'http error', { url, response, data }));
      };
      request.onerror = () => reject(new RequestError('NetworkError', 'network error', { url }));
      request.onabort = () => reject(new DOMException('cancelled', 'AbortError'));
      if (signal?.aborted) return reject(new DOMException('cancelled', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort());
      const body = new FormData();
      if (file instanceof Blob) body.append('file', file);
      request.send(body);
    });
}

function clearUserUnlessRenewed(error: unknown, session: SessionStore, sent: string): void {
  const isRefused = error instanceof CallError && error.code === 'SIGN_IN_REQUIRED';
  if (isRefused && session.readToken() === sent) session.clearUser();
}

/** Sends the contract's calls over HTTP; callers handle errors unless `skipErrorHandler` is false. */
export function createBrowserTransport(setup: HttpSetup): Transport {
  const http = createHttp(setup);
  const upload = createUploader(setup);

  async function sendRequest(request: TransportRequest): Promise<unknown> {
    const { method, path, input, file, signal, useCache, keepalive, skipErrorHandler = true } = request;
    if (file !== undefined) return upload(request);
    const inQuery = method === 'GET' || method === 'DELETE';
    return http[method.toLowerCase() as HttpMethod](path, {
      ...(inQuery ? { params: input } : { data: input }),
      signal,
      useCache,
      keepalive,
      skipErrorHandler,
    });
  }

  return async (request) => {
    const sent = setup.session.readToken();
    try {
      const envelope = (await sendRequest(request)) as { success?: unknown; data?: unknown } | null;
      if (envelope?.success !== true) throw new CallError('INTERNAL');
      return envelope.data;
    } catch (thrown) {
      const error = toCallError(thrown);
      clearUserUnlessRenewed(error, setup.session, sent);
      throw error;
    }
  };
}
