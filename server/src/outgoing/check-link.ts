import {
  FetchError,
  type FetchOptions,
  fetchStatus,
  isUnknownName,
  isUnusualPort,
  PRIVATE_CODE,
  UNKNOWN_NAME_MESSAGE,
} from './fetch-file.ts';

export interface LinkState {
  state: 'ok' | 'dead' | 'unknown';
  /** Why readers cannot open the link; meant for writers. */
  reason: string;
}

const OK: LinkState = { state: 'ok', reason: '' };
const UNKNOWN: LinkState = { state: 'unknown', reason: '' };
const dead = (reason: string): LinkState => ({ state: 'dead', reason });

/** Other failures may be temporary, or caused by a server that refuses programs. */
const deadCodes: Record<string, string> = {
  [PRIVATE_CODE]: '地址在本机或内网，读者打不开',
  ECONNREFUSED: '对方拒绝连接',
};

/** Whether readers can open a link. Only the usual ports are asked, also after redirects, so that the check cannot be used to scan others. */
export async function checkLink(url: string, options: Omit<FetchOptions, 'maxBytes'>): Promise<LinkState> {
  if (!URL.canParse(url)) return dead('地址不正确');
  const refusesPort = options.allowPrivate ? undefined : isUnusualPort;
  try {
    const status = await fetchStatus(url, { ...(refusesPort && { refusesPort }), ...options });
    if (status === 404 || status === 410) return dead(`对方响应 ${status}，页面不存在`);
    return status < 400 ? OK : UNKNOWN;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const reason = isUnknownName(error) ? UNKNOWN_NAME_MESSAGE : deadCodes[error.code];
    return reason === undefined ? UNKNOWN : dead(reason);
  }
}
