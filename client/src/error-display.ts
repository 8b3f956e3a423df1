import { SHOW_TYPE, type ShowType } from '@mozhan/contract/errors.ts';
import { asCallError } from './errors.ts';
import { RequestError } from './http.ts';
import type { Refusal } from './transport.ts';

export type ErrorDisplay =
  | { show: 'nothing' }
  | { show: 'message'; tone: 'warn' | 'bad'; text: string }
  | { show: 'notice'; title: string; text: string }
  | { show: 'page'; code: string; message: string };

const FALLBACK = '请求出错，请重试。';

/** Used for a response that has no error message. */
const statusTexts: Record<number, string> = {
  200: '服务器成功返回了数据。',
  201: '新建或修改数据成功。',
  202: '请求已进入后台排队（异步任务）。',
  204: '删除数据成功。',
  400: '请求有误，服务器没有新建或修改任何数据。',
  401: '没有权限（令牌、用户名或密码错误）。',
  403: '已经登录，但不允许访问。',
  404: '请求的记录不存在，服务器没有进行操作。',
  405: '这个地址不支持该请求方法。',
  406: '没有所请求的格式。',
  409: '内容已在别处更新，请核对后再提交。',
  410: '请求的资源已被永久删除。',
  413: '提交的内容太大。',
  422: '新建时发生了校验错误。',
  429: '操作太频繁，请稍后再试。',
  500: '服务器出错，请检查服务器。',
  502: '网关错误。',
  503: '服务不可用，服务器暂时过载或正在维护。',
  504: '网关超时。',
};

const withoutQuery = (url: string) => url.replace(/\?.*/, '');

function toErrorDisplay(showType: ShowType | undefined, code: string, text: string): ErrorDisplay {
  if (showType === SHOW_TYPE.silent) return { show: 'nothing' };
  if (showType === SHOW_TYPE.notification) return { show: 'notice', title: code, text };
  if (showType === SHOW_TYPE.page) return { show: 'page', code, message: text };
  return { show: 'message', tone: showType === SHOW_TYPE.warning ? 'warn' : 'bad', text };
}

function describeRequestError(error: RequestError): ErrorDisplay {
  const { name, message, url, response, data } = error;
  const refusal = data as Partial<Refusal> | null | undefined;
  if (refusal?.success === false) {
    const { errorCode = '', errorMessage = '', showType } = refusal;
    if (name === 'BizError' && showType === undefined && errorCode !== '') {
      return { show: 'notice', title: `请求错误 ${errorCode}`, text: errorMessage || FALLBACK };
    }
    return toErrorDisplay(showType, errorCode, errorMessage || FALLBACK);
  }
  if (name === 'HttpError' && response !== undefined) {
    const { status, statusText } = response;
    const title = `请求错误 ${status}: ${withoutQuery(url)}`;
    return { show: 'notice', title, text: statusTexts[status] ?? (statusText || FALLBACK) };
  }
  if (name === 'ParseError') return { show: 'message', tone: 'bad', text: '返回的内容无法解析，请稍后再试' };
  if (name === 'NetworkError') return { show: 'message', tone: 'bad', text: '网络没有连上，请检查后再试' };
  return { show: 'message', tone: 'bad', text: message || FALLBACK };
}

export function describeError(error: unknown): ErrorDisplay {
  if (error instanceof RequestError) return describeRequestError(error);
  const refused = asCallError(error);
  // A response from a proxy has no error message, so its status describes it.
  if (refused?.cause instanceof RequestError && refused.cause.name === 'HttpError') {
    return describeRequestError(refused.cause);
  }
  if (refused !== undefined) return toErrorDisplay(refused.showType, refused.code, refused.message);
  return { show: 'message', tone: 'bad', text: FALLBACK };
}

/** Whether the session has ended and the user must sign in again; a wrong password is not that. */
export function needsSignIn(error: unknown): boolean {
  const refused = asCallError(error);
  const request = error instanceof RequestError ? error : refused?.cause;
  if (refused !== undefined) return refused.code === 'SIGN_IN_REQUIRED';
  if (!(request instanceof RequestError) || request.response?.status !== 401) return false;
  const code = (request.data as Partial<Refusal> | null | undefined)?.errorCode;
  return code === undefined || code === 'SIGN_IN_REQUIRED';
}
