import type { Transport, TransportRequest } from '@mozhan/contract/client.ts';
import { CallError, type ErrorCode, errors, type ShowType } from '@mozhan/contract/errors.ts';
import {
  createHttp,
  type HttpMethod,
  type HttpSetup,
  RequestError,
  type SessionStore,
  takeToken,
  toQuery,
} from './http.ts';

/** A refusal as the server words it. */
export interface Refusal {
  success: false;
  errorCode?: string;
  errorMessage?: string;
  showType?: ShowType;
  data?: { fields?: Record<string, string> };
}

const SLOW = '等了太久没有回应，请稍后再试';
const OFFLINE = '网络没有连上，请检查后再试';

const isKnown = (code: string | undefined): code is ErrorCode => code !== undefined && code in errors;

/** For an answer that is not ours: a proxy's page, or a code that a newer server has. */
function codeOfStatus(status: number): ErrorCode {
  if (status === 502 || status === 503) return 'UNAVAILABLE';
  const known = (Object.keys(errors) as ErrorCode[]).find((code) => errors[code][0] === status);
  return status !== 200 && known !== undefined ? known : 'INTERNAL';
}

const asRefusal = (data: unknown): Refusal | undefined =>
  typeof data === 'object' && data !== null && 'success' in data && data.success === false
    ? (data as Refusal)
    : undefined;

/** Whatever a request failed with, in the words of the contract. */
function toCallError(error: unknown): unknown {
  if (!(error instanceof RequestError)) return error;
  if (error.name === 'Timeout') return new CallError('TIMEOUT', { message: SLOW, cause: error });
  if (error.name === 'NetworkError') return new CallError('UNAVAILABLE', { message: OFFLINE, cause: error });
  const status = error.response?.status ?? 500;
  const refusal = asRefusal(error.data);
  const retryAfter = Number(error.response?.headers.get('retry-after') ?? Number.NaN);
  return new CallError(isKnown(refusal?.errorCode) ? refusal.errorCode : codeOfStatus(status), {
    message: refusal?.errorMessage,
    showType: refusal?.showType,
    fields: refusal?.data?.fields,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    cause: error,
  });
}

/** Only XMLHttpRequest tells how much of a file has gone out. */
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
        takeToken(session, request.getResponseHeader('token'), token);
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

function forgetUnlessRenewed(error: unknown, session: SessionStore, sent: string): void {
  const isRefused = error instanceof CallError && error.code === 'SIGN_IN_REQUIRED';
  if (isRefused && session.readToken() === sent) session.forgetUser();
}

/** The contract's calls over HTTP, for the browser. They deal with their errors themselves unless they say otherwise. */
export function createBrowserTransport(setup: HttpSetup): Transport {
  const http = createHttp(setup);
  const upload = createUploader(setup);

  async function carry(request: TransportRequest): Promise<unknown> {
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
      const envelope = (await carry(request)) as { success?: unknown; data?: unknown } | null;
      if (envelope?.success !== true) throw new CallError('INTERNAL');
      return envelope.data;
    } catch (thrown) {
      const error = toCallError(thrown);
      forgetUnlessRenewed(error, setup.session, sent);
      throw error;
    }
  };
}
