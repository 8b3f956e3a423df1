import { parse as parseForm } from 'node:querystring';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { type Call, MAX_BODY } from '@mozhan/contract/define.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, plainAddress } from '../address.ts';
import type { Ctx, Services, Viewer } from '../ctx.ts';
import { createDb } from '../db/client.ts';
import type { Files, ReceivedFile } from '../files/files.ts';
import { readText } from '../input.ts';
import { systemCtx } from '../jobs.ts';
import { isPlainJson } from '../json.ts';
import {
  API_TOKEN,
  logFailedSignIn,
  type SessionFinder,
  type TokenFinder,
} from '../modules/accounts/users/index.ts';
import { answer, authorise } from './answer.ts';
import { askerOf } from './asker.ts';
import { quick, sendCachedPage, toCachedPage } from './cached-page.ts';
import { toCallError, toFailure } from './errors.ts';
import type { Limiter } from './limits.ts';
import { encodingFor } from './negotiate.ts';
import type { Encoding } from './page-cache.ts';
import { callKey } from './page-cache.ts';
import type { Binding } from './route.ts';
import { toTokenError, viewerFor } from './scope.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PRIVATE = 'private, no-store';
/** For how long visitors have the same answer, if nothing it shows changes. */
const KEPT_MS = 5000;
const LONGEST_KEPT = 500;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
/** What nobody reaches by hand: for an address, and for an account over all its addresses, in a minute. */
export const ADDRESS_FLOOD = { max: 1200, per: 60 };
const ACCOUNT_FLOOD = { max: 900, per: 60 };
/** Fifty megabytes on a slow line. */
const FILE_TIMEOUT_MS = 10 * 60_000;
/** Who may call is looked up again after a body that took longer than this: a session may have ended meanwhile. */
const ADMISSION_MS = 10_000;
/** Files that one account sends at a time: they lie on the disk until they are complete. */
const MAX_RECEIVING = 6;

export interface ApiOptions {
  services: Services;
  bindings: Binding[];
  sessions: SessionFinder;
  tokens: TokenFinder;
  limiter: Limiter | null;
}

/** Every call of the contract under `/api/`, always answered as an envelope. */
export async function api(
  app: FastifyInstance,
  { services, bindings, sessions, tokens, limiter }: ApiOptions,
): Promise<void> {
  const db = createDb(services.pool);
  const { basePath } = services.config;
  // Of a thousand fields the rest is passed over.
  await app.register(formbody, { parser: (text) => parseForm(text) });
  await app.register(multipart);
  acceptEmptyJson(app);

  // Before anything of a body is read.
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', PRIVATE);
    limiter?.rough([addressGroup(plainAddress(request.ip))], ADDRESS_FLOOD, services.clock());
    if (request.is404) refuseUnknown(request, reply);
  });
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply));
  // What a hook above throws is what is sent.
  app.setNotFoundHandler(() => {});

  async function findViewer(
    request: FastifyRequest,
    address: string,
    reply: Ctx['reply'],
  ): Promise<Viewer | null> {
    const { token, idle } = request.headers;
    const bearer = apiTokenOf(request);
    if (bearer !== null) {
      const viewer = await tokens(bearer, address);
      if (viewer === null) {
        logFailedSignIn(services, { address, reason: 'token', account: 'unknown' });
        throw new CallError('SIGN_IN_REQUIRED', { message: 'API 令牌无效，或已过期、被删除' });
      }
      return viewer;
    }
    const found =
      typeof token === 'string' && token !== '' ? await sessions.find(token, idle !== undefined) : null;
    // A dead token: answered as for a visitor, and the client is told to forget it.
    if (found === null && token !== undefined && token !== '') reply.token = '';
    if (found !== null && found.renewal !== null) reply.token = found.renewal;
    return found?.viewer ?? null;
  }

  async function makeCtx(request: FastifyRequest, call: Call): Promise<Ctx> {
    const now = services.clock();
    const asker = askerOf(request);
    const reply: Ctx['reply'] = {};
    const viewer = await findViewer(request, asker.address, reply);
    if (viewer !== null) limiter?.rough([viewer.id], ACCOUNT_FLOOD, now);
    return {
      services,
      db,
      viewer: viewerFor(viewer, call),
      now,
      asker,
      signal: request.ended,
      file: null,
      reply,
      shown: null,
      changes: [],
      effects: null,
    };
  }

  /** What stands beside the calls, such as their documentation, has methods too. */
  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): never {
    const [url = ''] = request.url.split('?');
    const allowed = METHODS.filter((method) => app.hasRoute({ method, url: url.replace(/\/$/, '') }));
    if (allowed.length === 0) throw new CallError('NOT_FOUND', { message: '没有这个接口' });
    reply.header('allow', allowOf(allowed));
    throw new CallError('METHOD_NOT_ALLOWED');
  }

  const contexts = new WeakMap<FastifyRequest, Ctx>();

  /** Who asks, and may they? Answered before the body is read. */
  async function admit(call: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const ctx = await makeCtx(request, call);
    contexts.set(request, ctx);
    // Also with what the body is refused for.
    setToken(ctx, reply);
    try {
      authorise(ctx, call);
    } catch (error) {
      throw apiTokenOf(request) === null ? error : toTokenError(error);
    }
  }

  function admitted(request: FastifyRequest): Ctx {
    const ctx = contexts.get(request);
    if (ctx === undefined) throw new Error('a request that nobody admitted');
    return ctx;
  }

  /** Written as everybody writes it: another spelling would be another answer to keep. */
  const isKeepable = (url: string) => url.length <= LONGEST_KEPT && url.startsWith(`${basePath}/api/`);

  /** For visitors: no session, no token, nothing of their own. */
  async function sendKept(binding: Binding, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const given = readInput(binding.call, request);
    const page = await services.pages.get(callKey(request.url.slice(basePath.length)), async () => {
      const shown = new Set<string>();
      const data = await answer({ ...systemCtx(services), shown }, binding, given, null);
      const body = toBody(data);
      return toCachedPage(body, {
        headers: { 'content-type': JSON_TYPE, 'cache-control': PRIVATE },
        tags: shown,
        isPrivate: true,
        maxAgeMs: KEPT_MS,
        ...(body.length < MIN_PACKED && { packing: 'none' as const }),
      });
    });
    await sendCachedPage(request, reply, page);
  }

  async function handle(binding: Binding, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { call } = binding;
    if (binding.isKept && isVisitor(request) && isKeepable(request.url))
      return sendKept(binding, request, reply);
    let ctx = admitted(request);
    let file: ReceivedFile | null = null;
    try {
      if (call.file !== undefined) {
        const sender = ctx.viewer?.id ?? addressGroup(ctx.asker.address);
        file = await receiveFile(request, sender, services.files, call.file.maxBytes);
      }
      if (services.clock().getTime() - ctx.now.getTime() > ADMISSION_MS) {
        await admit(call, request, reply);
        ctx = admitted(request);
      }
      ctx.file = file;
      const data = await answer(ctx, binding, readInput(call, request), limiter);
      if (!request.ended.aborted) {
        setToken(ctx, reply);
        await sendBody(request, reply, toBody(data), call.who === 'anyone');
      }
      if (call.method !== 'GET') {
        request.log.info(
          { call: `${call.method} ${call.path}`, user: ctx.viewer?.id, address: ctx.asker.address },
          'write',
        );
      }
    } catch (error) {
      if (request.ended.aborted) return;
      setToken(ctx, reply);
      throw apiTokenOf(request) === null ? error : toTokenError(error);
    } finally {
      if (file !== null) await services.files.discard(file);
    }
  }

  for (const binding of bindings) {
    app.route({
      method: binding.call.method,
      url: urlOf(binding.call),
      bodyLimit: binding.call.maxBody ?? MAX_BODY,
      onRequest: (request, reply) => admit(binding.call, request, reply),
      ...(binding.call.file === undefined ? {} : { config: { timeoutMs: FILE_TIMEOUT_MS } }),
      handler: async (request, reply) => {
        await handle(binding, request, reply);
        return reply;
      },
    });
  }

  for (const [url, allowed] of methodsByUrl(bindings)) {
    app.route({
      method: METHODS.filter((method) => !allowed.has(method)),
      url,
      onRequest: async (_request, reply) => {
        reply.header('allow', allowOf(allowed));
        throw new CallError('METHOD_NOT_ALLOWED');
      },
      handler: () => {},
    });
  }
}

const isVisitor = ({ headers: { token, authorization } }: FastifyRequest): boolean =>
  token === undefined && authorization === undefined;

/** In the header of all tokens, or where other programs put theirs. */
function apiTokenOf({ headers: { token, authorization } }: FastifyRequest): string | null {
  const given = typeof token === 'string' && token !== '' ? token : authorization?.replace(/^Bearer +/i, '');
  return given?.startsWith(API_TOKEN) ? given : null;
}

/** What answers GET answers HEAD. */
const allowOf = (methods: Iterable<string>): string =>
  [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

const urlOf = (call: Call): string => `/${call.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')}`;

function methodsByUrl(bindings: Binding[]): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const { call } of bindings) {
    const url = urlOf(call);
    const allowed = methods.get(url) ?? new Set();
    allowed.add(call.method);
    methods.set(url, allowed);
  }
  return methods;
}

const bodies = new WeakMap<object, Buffer>();

/** Those who share an answer share its bytes. */
function toBody(data: unknown): Buffer {
  const key = typeof data === 'object' ? data : null;
  const known = key === null ? undefined : bodies.get(key);
  if (known !== undefined) return known;
  const body = Buffer.from(JSON.stringify({ success: true, data }));
  if (key !== null) bodies.set(key, body);
  return body;
}

/** Below it, packing saves less than it costs. */
const MIN_PACKED = 1024;
const packedBodies = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Packed once for all who share it. Why only what anyone may ask for: docs/decisions/0030. */
async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  isOpen: boolean,
): Promise<void> {
  reply.type(JSON_TYPE);
  if (isOpen) reply.header('vary', 'accept-encoding');
  const encoding = isOpen && body.length >= MIN_PACKED ? encodingFor(request) : undefined;
  if (encoding === undefined) {
    reply.send(body);
    return;
  }
  const packed = packedBodies.get(body) ?? {};
  packedBodies.set(body, packed);
  packed[encoding] ??= quick[encoding](body);
  reply.header('content-encoding', encoding).send(await packed[encoding]);
}

function setToken(ctx: Ctx, reply: FastifyReply): void {
  if (ctx.reply.token !== undefined) reply.header('token', ctx.reply.token);
}

/** GET takes its fields from the query, the others from the body; DELETE from either; paths fill in the rest. */
function readInput(call: Call, request: FastifyRequest): Record<string, unknown> {
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  const body = bodyOf(request);
  if (call.method === 'GET' || call.file !== undefined) return { ...readText(call.input, query), ...params };
  const type = request.headers['content-type']?.toLowerCase() ?? '';
  if (type.startsWith('multipart/')) throw new CallError('UNSUPPORTED_TYPE');
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const sent = isForm ? readText(call.input, body) : body;
  return call.method === 'DELETE'
    ? { ...readText(call.input, query), ...sent, ...params }
    : { ...sent, ...params };
}

function bodyOf(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new CallError('MALFORMED', { message: '请求的内容应是一个对象' });
  return body as Record<string, unknown>;
}

const receiving = new Map<string, number>();

/** Holds a place among the files that one sender sends at a time. */
async function inTurn<T>(sender: string, work: () => Promise<T>): Promise<T> {
  const underWay = receiving.get(sender) ?? 0;
  if (underWay >= MAX_RECEIVING)
    throw new CallError('TOO_MANY_REQUESTS', { message: '同时上传的文件太多，请稍后再试', retryAfter: 5 });
  receiving.set(sender, underWay + 1);
  try {
    return await work();
  } finally {
    const left = (receiving.get(sender) ?? 1) - 1;
    if (left === 0) receiving.delete(sender);
    else receiving.set(sender, left);
  }
}

/** Exactly one file, in the field `file`. */
function receiveFile(
  request: FastifyRequest,
  sender: string,
  files: Files,
  maxBytes: number,
): Promise<ReceivedFile> {
  const missing = invalid('file', '请选择要上传的文件');
  if (!request.isMultipart()) throw missing;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_BODY) throw new CallError('TOO_LARGE');
  return inTurn(sender, async () => {
    let received: ReceivedFile | undefined;
    try {
      for await (const part of request.parts({ limits: { files: 2, fields: 1, fileSize: maxBytes } })) {
        if (part.type !== 'file' || part.fieldname !== 'file') throw missing;
        if (received !== undefined) throw invalid('file', '一次只能上传一个文件');
        received = await files.receive(part.filename, part.file, request.ended);
        if (part.file.truncated) throw new CallError('TOO_LARGE');
      }
    } catch (error) {
      if (received !== undefined) await files.discard(received);
      const known = toCallError(error);
      // What the parser cannot read is the sender's mistake; a full disk is not.
      throw known.code === 'INTERNAL' && !isOfDisk(error)
        ? new CallError('MALFORMED', { cause: error })
        : known;
    }
    if (received === undefined) throw missing;
    return received;
  });
}

const isOfDisk = (error: unknown): boolean =>
  error instanceof Error && /^(open|write|fsync)$/.test((error as NodeJS.ErrnoException).syscall ?? '');

/** Clients send `content-type: application/json` with no body on DELETE and the like: that is an empty object. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text === '') done(null, {});
    else if (!isPlainJson(text)) done(new CallError('MALFORMED', { message: '请求的内容太复杂' }));
    else parse(request, text, done);
  });
}

export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toCallError(thrown);
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, 'call failed');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return reply.code(error.status).header('cache-control', PRIVATE).send(toFailure(error, request.id));
}
