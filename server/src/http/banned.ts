import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { CallError } from '@mozhan/contract/errors.ts';
import { toFailure } from './errors.ts';

const error = new CallError('ADDRESS_BANNED');
const JSON_BODY = JSON.stringify(toFailure(error, ''));
const PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>无法访问</title>
</head>
<body>
<h1>无法访问</h1>
<p>${error.message}。</p>
</body>
</html>
`;

function refuse(request: IncomingMessage, response: ServerResponse, isCall: boolean): void {
  const body = isCall ? JSON_BODY : PAGE;
  response
    .writeHead(error.status, {
      'content-type': isCall ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-length': Buffer.byteLength(body),
      // The body of the request is not read.
      connection: 'close',
    })
    .end(request.method === 'HEAD' ? undefined : body);
}

interface BannedOptions {
  basePath: string;
  isBanned: (request: IncomingMessage) => boolean;
}

/** Refuses banned addresses before any other work. Payment callbacks are authenticated by signature and pass. */
export function refuseBanned({ basePath, isBanned }: BannedOptions) {
  const calls = `${basePath}/api/`;
  const callbacks = `${calls}core/fina/notify/`;
  return (next: RequestListener): RequestListener =>
    (request, response) => {
      const { url = '' } = request;
      if (isBanned(request) && !url.startsWith(callbacks)) refuse(request, response, url.startsWith(calls));
      else next(request, response);
    };
}
