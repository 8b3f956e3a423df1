import type { TestApp } from './app.ts';

export interface TestFile {
  name: string;
  content: Uint8Array | string;
}

/** Uploads one file as a multipart form; `path` is relative to `/api/`. */
export async function uploadFile(
  t: TestApp,
  path: string,
  { name, content }: TestFile,
  token: string | undefined,
) {
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(content)]), name);
  const request = new Request('http://x', { method: 'POST', body: form });
  const response = await t.app.server.inject({
    method: 'POST',
    url: `/api/${path}`,
    headers: {
      ...(token === undefined ? {} : { token }),
      'content-type': request.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: response.statusCode, ...response.json() };
}
