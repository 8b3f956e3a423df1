import type { Output, RouteName } from '@mozhan/contract/client.ts';

interface Answer<R extends RouteName> {
  /** 0 without a response. */
  status: number;
  token: string;
  data: Output<R>;
  errorCode: string | undefined;
}

interface Options {
  token?: string;
  /** Client IP address, sent as a proxy would, for rate limits. */
  address?: string;
}

const TIMEOUT_MS = 20_000;

/** A call over HTTP to one server. */
export async function call<R extends RouteName>(
  url: string,
  route: R,
  input: object = {},
  { token, address }: Options = {},
): Promise<Answer<R>> {
  const [method = '', path = ''] = route.split(' ');
  const query = new URLSearchParams(Object.entries(input).map(([name, value]) => [name, `${value}`]));
  const response = await fetch(`${url}/api/${path}${method === 'GET' ? `?${query}` : ''}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { token }),
      ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  }).catch(() => null);
  const body = await response?.json().catch(() => null);
  return {
    status: response?.status ?? 0,
    token: response?.headers.get('token') ?? '',
    data: body?.data,
    errorCode: body?.errorCode,
  };
}

export async function upload(
  url: string,
  content: Buffer,
  token: string,
): Promise<Output<'POST core/minio/upload'>> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(content)], { type: 'image/png' }), 'a.png');
  const response = await fetch(`${url}/api/core/minio/upload`, {
    method: 'POST',
    headers: { token },
    body: form,
  });
  return ((await response.json()) as { data: Output<'POST core/minio/upload'> }).data;
}
