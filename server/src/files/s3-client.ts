import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { S3Config } from '../config/s3.ts';
import type { ByteRange } from './files.ts';
import { presign, type SignableRequest, sha256, sign, toQuery } from './s3-signature.ts';

export interface StoredObject {
  key: string;
  bytes: number;
  modified: Date;
}

/** Response timeout, to which the time to send the body is added. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** Assumed minimum upload speed, in bytes per millisecond. */
const MIN_UPLOAD_SPEED = 50;
const MAX_ATTEMPTS = 4;
const RETRY_DELAY_MS = 150;
/** Larger objects are uploaded in parts that can be retried; S3 allows at most 10,000 parts. */
const PART_BYTES = 32 * 1024 * 1024;
const MAX_PARTS = 9000;

interface S3Request {
  method: string;
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Blob;
  /** Hash of the body, if already known. */
  hash?: string;
}

function findElement(xml: string, tag: string, from = 0): { text: string; end: number } | undefined {
  const start = xml.indexOf(`<${tag}>`, from);
  const end = start < 0 ? -1 : xml.indexOf(`</${tag}>`, start);
  return end < 0 ? undefined : { text: xml.slice(start + tag.length + 2, end), end };
}

const elementText = (xml: string, tag: string): string | undefined =>
  findElement(xml, tag)?.text.replace(
    /&(?:amp|lt|gt|quot|apos|#(\d+)|#x([0-9a-f]+));/gi,
    (entity, decimal, hexadecimal) =>
      decimal || hexadecimal
        ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16))
        : ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }[entity.toLowerCase()] ?? "'"),
  );

export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  constructor(request: string, status: number, code: string) {
    super(`S3 responded ${status} ${code} to ${request}`);
    this.status = status;
    this.code = code;
  }
}

async function toS3Error({ method, key = '' }: S3Request, response: Response): Promise<S3Error> {
  const text = await response.text().catch(() => '');
  return new S3Error(`${method} ${key}`, response.status, elementText(text, 'Code') ?? '');
}

async function hashOf(body: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body.stream()) hash.update(chunk);
  return hash.digest('hex');
}

export type S3 = ReturnType<typeof createS3>;

/** A minimal S3 client with path-style URLs, which every implementation supports. */
export function createS3(config: S3Config) {
  function locate({ key, query = {} }: Pick<S3Request, 'key' | 'query'>): URL {
    const url = new URL(`${config.endpoint}/${config.bucket}${key === undefined ? '' : `/${key}`}`);
    url.search = toQuery(Object.entries(query));
    return url;
  }

  async function attempt(request: S3Request, payload: string): Promise<Response> {
    const { method, headers = {}, body } = request;
    const url = locate(request);
    const timer = new AbortController();
    const timeoutMs = RESPONSE_TIMEOUT_MS + (body?.size ?? 0) / MIN_UPLOAD_SPEED;
    const timeout = setTimeout(
      () => timer.abort(new Error(`no response from S3 in ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      return await fetch(url, {
        method,
        headers: sign({ method, url, headers }, config, { now: new Date(), payload }),
        redirect: 'manual',
        signal: timer.signal,
        ...(body === undefined ? {} : { body }),
      });
    } finally {
      clearTimeout(timeout);
    }
  }

  /** All requests are idempotent and are retried. Throws an S3Error, or UNAVAILABLE if the store cannot be reached. */
  async function send(request: S3Request): Promise<Response> {
    const { body, hash } = request;
    const payload = hash ?? (body === undefined ? sha256('') : await hashOf(body));
    let reason: unknown;
    for (let nth = 0; nth < MAX_ATTEMPTS; nth++) {
      if (nth > 0) await sleep(RETRY_DELAY_MS * 3 ** (nth - 1) * (0.5 + Math.random()));
      try {
        const response = await attempt(request, payload);
        if (response.ok) return response;
        const refusal = await toS3Error(request, response);
        if (response.status < 500 && response.status !== 429) throw refusal;
        reason = refusal;
      } catch (error) {
        if (error instanceof S3Error) throw error;
        reason = error;
      }
    }
    throw new CallError('UNAVAILABLE', { message: '文件暂时无法存取，请稍后再试', cause: reason });
  }

  /** Reads the unused response body, so that the connection can be reused. */
  async function sendAndDiscard(request: S3Request): Promise<Response> {
    const response = await send(request);
    await response.arrayBuffer();
    return response;
  }

  /** Resolves to null if the object does not exist. */
  async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
    return work.catch((error: unknown) => {
      if (error instanceof S3Error && error.status === 404 && error.code !== 'NoSuchBucket') return null;
      throw error;
    });
  }

  async function findSize(key: string): Promise<number | null> {
    const found = await nullIfMissing(sendAndDiscard({ method: 'HEAD', key }));
    return found && Number(found.headers.get('content-length'));
  }

  async function putInParts(key: string, body: Blob, headers: Record<string, string>): Promise<void> {
    const begun = await send({ method: 'POST', key, query: { uploads: '' }, headers });
    const uploadId = elementText(await begun.text(), 'UploadId') ?? '';
    const size = Math.max(PART_BYTES, Math.ceil(body.size / MAX_PARTS));
    try {
      let parts = '';
      for (let nth = 1; (nth - 1) * size < body.size; nth++) {
        const part = body.slice((nth - 1) * size, nth * size);
        const query = { partNumber: String(nth), uploadId };
        const sent = await sendAndDiscard({ method: 'PUT', key, query, body: part });
        parts += `<Part><PartNumber>${nth}</PartNumber><ETag>${sent.headers.get('etag')}</ETag></Part>`;
      }
      const list = new Blob([`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`]);
      const done = await nullIfMissing(send({ method: 'POST', key, query: { uploadId }, body: list }));
      // A 404 may mean that the upload was completed but its response was lost; an error may come with status 200.
      const isDone = done === null ? (await findSize(key)) === body.size : !/<Error>/.test(await done.text());
      if (!isDone) throw new CallError('UNAVAILABLE', { message: '文件暂时无法存取，请稍后再试' });
    } catch (error) {
      await sendAndDiscard({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
      throw error;
    }
  }

  return {
    findSize,
    async put(
      key: string,
      body: Blob,
      { hash, headers = {} }: { hash: string; headers?: Record<string, string> },
    ): Promise<void> {
      if (body.size > PART_BYTES * 2) await putInParts(key, body, headers);
      else await sendAndDiscard({ method: 'PUT', key, headers, body, hash });
    },
    /** Resolves to null if the object does not exist. */
    get(key: string, range?: ByteRange): Promise<Response | null> {
      const headers: S3Request['headers'] = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      return nullIfMissing(send({ method: 'GET', key, headers }));
    },
    async remove(key: string): Promise<void> {
      await nullIfMissing(sendAndDiscard({ method: 'DELETE', key }));
    },
    /** Uses the version 1 API with `marker`, which the oldest implementations support too. */
    async *list(prefix: string): AsyncGenerator<StoredObject> {
      let marker = '';
      let isTruncated = true;
      while (isTruncated) {
        const page = await (await send({ method: 'GET', query: { prefix, marker } })).text();
        for (
          let object = findElement(page, 'Contents');
          object;
          object = findElement(page, 'Contents', object.end)
        ) {
          marker = elementText(object.text, 'Key') ?? '';
          const modified = new Date(elementText(object.text, 'LastModified') ?? '');
          yield { key: marker, bytes: Number(elementText(object.text, 'Size')), modified };
        }
        isTruncated = elementText(page, 'IsTruncated') === 'true';
      }
    },
    async check(): Promise<void> {
      await sendAndDiscard({ method: 'HEAD' });
    },
    /** Succeeds if another process creates the bucket at the same time. */
    async createBucket(): Promise<void> {
      const { region } = config;
      const locationXml = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
      await sendAndDiscard({
        method: 'PUT',
        ...(region === 'us-east-1' ? {} : { body: new Blob([locationXml]) }),
      }).catch((error: unknown) => {
        if (!(error instanceof S3Error && error.status === 409)) throw error;
      });
    },
    presign(given: Pick<SignableRequest, 'method' | 'headers'> & { key: string; seconds: number }): string {
      const { method, headers, key, seconds } = given;
      return presign({ method, headers, url: locate({ key }) }, config, { now: new Date(), seconds });
    },
  };
}
