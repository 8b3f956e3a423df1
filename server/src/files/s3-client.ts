import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { S3Config } from '../config/s3.ts';
import type { ByteRange } from './files.ts';
import { presign, type Signable, sha256, sign, toQuery } from './s3-signature.ts';

export interface Stored {
  key: string;
  bytes: number;
  modified: Date;
}

/** How long an answer may be waited for, beside what its body takes to send. */
const PATIENCE_MS = 30_000;
/** Slower than this in bytes a millisecond no line is taken for alive. */
const SLOWEST = 50;
const ATTEMPTS = 4;
const PAUSE_MS = 150;
/** What is larger is sent in parts, each of which can be sent again; an object has ten thousand at the most. */
const PART_BYTES = 32 * 1024 * 1024;
const MOST_PARTS = 9000;

interface Asked {
  method: string;
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Blob;
  /** Of the body, where it is known already. */
  hash?: string;
}

/** What stands between the first `<tag>` and the `</tag>` behind it. */
function inside(xml: string, tag: string, from = 0): { text: string; end: number } | undefined {
  const start = xml.indexOf(`<${tag}>`, from);
  const end = start < 0 ? -1 : xml.indexOf(`</${tag}>`, start);
  return end < 0 ? undefined : { text: xml.slice(start + tag.length + 2, end), end };
}

const textIn = (xml: string, tag: string): string | undefined =>
  inside(xml, tag)?.text.replace(
    /&(?:amp|lt|gt|quot|apos|#(\d+)|#x([0-9a-f]+));/gi,
    (entity, decimal, hexadecimal) =>
      decimal || hexadecimal
        ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16))
        : ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }[entity.toLowerCase()] ?? "'"),
  );

/** Answered, but not as was hoped for. */
export class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(asked: string, status: number, code: string) {
    super(`S3 answered ${status} ${code} to ${asked}`);
    this.status = status;
    this.code = code;
  }
}

async function refusalOf({ method, key = '' }: Asked, response: Response): Promise<S3Refusal> {
  const text = await response.text().catch(() => '');
  return new S3Refusal(`${method} ${key}`, response.status, textIn(text, 'Code') ?? '');
}

async function hashOf(body: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body.stream()) hash.update(chunk);
  return hash.digest('hex');
}

export type S3 = ReturnType<typeof createS3>;

/** What we need of S3, by addresses with the bucket in their path, which every implementation knows. */
export function createS3(config: S3Config) {
  function locate({ key, query = {} }: Pick<Asked, 'key' | 'query'>): URL {
    const url = new URL(`${config.endpoint}/${config.bucket}${key === undefined ? '' : `/${key}`}`);
    url.search = toQuery(Object.entries(query));
    return url;
  }

  async function attempt(asked: Asked, payload: string): Promise<Response> {
    const { method, headers = {}, body } = asked;
    const url = locate(asked);
    const timer = new AbortController();
    const wait = PATIENCE_MS + (body?.size ?? 0) / SLOWEST;
    const late = setTimeout(() => timer.abort(new Error(`no answer from S3 in ${wait} ms`)), wait);
    try {
      return await fetch(url, {
        method,
        headers: sign({ method, url, headers }, config, { now: new Date(), payload }),
        redirect: 'manual',
        signal: timer.signal,
        ...(body === undefined ? {} : { body }),
      });
    } finally {
      clearTimeout(late);
    }
  }

  /** Everything we ask for may be asked for again. Throws a refusal, or that the store is away. */
  async function send(asked: Asked): Promise<Response> {
    const { body, hash } = asked;
    const payload = hash ?? (body === undefined ? sha256('') : await hashOf(body));
    let reason: unknown;
    for (let nth = 0; nth < ATTEMPTS; nth++) {
      if (nth > 0) await sleep(PAUSE_MS * 3 ** (nth - 1) * (0.5 + Math.random()));
      try {
        const response = await attempt(asked, payload);
        if (response.ok) return response;
        const refusal = await refusalOf(asked, response);
        if (response.status < 500 && response.status !== 429) throw refusal;
        reason = refusal;
      } catch (error) {
        if (error instanceof S3Refusal) throw error;
        reason = error;
      }
    }
    throw new CallError('UNAVAILABLE', { message: '文件暂时无法存取，请稍后再试', cause: reason });
  }

  /** Its body is not wanted, but the connection is. */
  async function tell(asked: Asked): Promise<Response> {
    const response = await send(asked);
    await response.arrayBuffer();
    return response;
  }

  /** Null where there is no such object. */
  async function orNull<T>(work: Promise<T>): Promise<T | null> {
    return work.catch((error: unknown) => {
      if (error instanceof S3Refusal && error.status === 404 && error.code !== 'NoSuchBucket') return null;
      throw error;
    });
  }

  async function findBytes(key: string): Promise<number | null> {
    const found = await orNull(tell({ method: 'HEAD', key }));
    return found && Number(found.headers.get('content-length'));
  }

  async function putInParts(key: string, body: Blob, headers: Record<string, string>): Promise<void> {
    const begun = await send({ method: 'POST', key, query: { uploads: '' }, headers });
    const uploadId = textIn(await begun.text(), 'UploadId') ?? '';
    const size = Math.max(PART_BYTES, Math.ceil(body.size / MOST_PARTS));
    try {
      let parts = '';
      for (let nth = 1; (nth - 1) * size < body.size; nth++) {
        const part = body.slice((nth - 1) * size, nth * size);
        const query = { partNumber: String(nth), uploadId };
        const sent = await tell({ method: 'PUT', key, query, body: part });
        parts += `<Part><PartNumber>${nth}</PartNumber><ETag>${sent.headers.get('etag')}</ETag></Part>`;
      }
      const list = new Blob([`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`]);
      const done = await orNull(send({ method: 'POST', key, query: { uploadId }, body: list }));
      // Said to be unknown when the answer to the first asking was lost; and an error may come as a success.
      const isDone =
        done === null ? (await findBytes(key)) === body.size : !/<Error>/.test(await done.text());
      if (!isDone) throw new CallError('UNAVAILABLE', { message: '文件暂时无法存取，请稍后再试' });
    } catch (error) {
      await tell({ method: 'DELETE', key, query: { uploadId } }).catch(() => {});
      throw error;
    }
  }

  return {
    findBytes,
    async put(
      key: string,
      body: Blob,
      { hash, headers = {} }: { hash: string; headers?: Record<string, string> },
    ): Promise<void> {
      if (body.size > PART_BYTES * 2) await putInParts(key, body, headers);
      else await tell({ method: 'PUT', key, headers, body, hash });
    },
    /** Null where there is no such object. */
    get(key: string, range?: ByteRange): Promise<Response | null> {
      const headers: Asked['headers'] = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      return orNull(send({ method: 'GET', key, headers }));
    },
    async remove(key: string): Promise<void> {
      await orNull(tell({ method: 'DELETE', key }));
    },
    /** By the names of what was listed last, which the oldest implementations know too. */
    async *list(prefix: string): AsyncGenerator<Stored> {
      let marker = '';
      let isTruncated = true;
      while (isTruncated) {
        const page = await (await send({ method: 'GET', query: { prefix, marker } })).text();
        for (let object = inside(page, 'Contents'); object; object = inside(page, 'Contents', object.end)) {
          marker = textIn(object.text, 'Key') ?? '';
          const modified = new Date(textIn(object.text, 'LastModified') ?? '');
          yield { key: marker, bytes: Number(textIn(object.text, 'Size')), modified };
        }
        isTruncated = textIn(page, 'IsTruncated') === 'true';
      }
    },
    /** Throws when it cannot be reached or used. */
    async check(): Promise<void> {
      await tell({ method: 'HEAD' });
    },
    /** Another process may do so at the same time. */
    async createBucket(): Promise<void> {
      const { region } = config;
      const place = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
      await tell({
        method: 'PUT',
        ...(region === 'us-east-1' ? {} : { body: new Blob([place]) }),
      }).catch((error: unknown) => {
        if (!(error instanceof S3Refusal && error.status === 409)) throw error;
      });
    },
    presign(given: Pick<Signable, 'method' | 'headers'> & { key: string; seconds: number }): string {
      const { method, headers, key, seconds } = given;
      return presign({ method, headers, url: locate({ key }) }, config, { now: new Date(), seconds });
    },
  };
}
