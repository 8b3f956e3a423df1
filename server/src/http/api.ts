import { parse as parseForm } from 'node:querystring';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { type Call, MAX_BODY_BYTES } from '@mozhan/contract/define.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressGroup, normalizeAddress } from '../address.ts';
import type { Ctx, Requester, Services, Viewer } from '../ctx.ts';
import { createDb } from '../db/client.ts';
import type { FileStore, ReceivedFile } from '../files/files.ts';
import { coerceText } from '../input.ts';
import { systemCtx } from '../jobs.ts';
import { isWithinJsonLimits } from '../json.ts';
import {
  API_TOKEN_PREFIX,
  type ApiTokenFinder,
  createTokenFailureLog,
  type SessionFinder,
} from '../modules/accounts/users/index.ts';
import { fastCompress, sendCachedPage, toCachedPage } from './cached-page.ts';
import { toCallError, toFailure } from './errors.ts';
import { authorise, executeCall } from './execute-call.ts';
import type { Limiter } from './limits.ts';
import type { Maintenance } from './maintenance.ts';
import { encodingFor } from './negotiate.ts';
import type { Encoding } from './page-cache.ts';
import { callKey } from './page-cache.ts';
import { requesterOf } from './requester.ts';
import type { Binding } from './route.ts';
import { matchesRoute } from './routes.ts';
import { limitViewerToScopes, toTokenError } from './scope.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const PRIVATE = 'private, no-store';
/** Cache lifetime of responses for visitors, unless one of their tags is invalidated. */
const RESPONSE_CACHE_MS = 5000;
const MAX_CACHED_URL_LENGTH = 500;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;
/** Requests per minute of an address, and of an account over all addresses; far above normal use. */
export const ADDRESS_RATE_LIMIT = { max: 1200, per: 60 };
const ACCOUNT_RATE_LIMIT = { max: 900, per: 60 };
const FILE_TIMEOUT_MS = 10 * 60_000;
/** If receiving the body takes longer, authorisation is repeated, because the session may have ended. */
const AUTHORISATION_TTL_MS = 10_000;
/** Parallel uploads per account, because incomplete files take disk space. */
const MAX_PARALLEL_UPLOADS = 6;

export interface ApiOptions {
  services: Services;
  bindings: Binding[];
  sessions: SessionFinder;
  tokens: ApiTokenFinder;
  limiter: Limiter | null;
  maintenance: Maintenance;
}

/** Serves every call of the contract under `/api/`; responses are always envelopes. */
export async function apiPlugin(
  app: FastifyInstance,
  { services, bindings, sessions, tokens, limiter, maintenance }: ApiOptions,
): Promise<void> {
  const db = createDb(services.pool);
  const { basePath } = services.config;
  const logTokenFailure = createTokenFailureLog(services);
  // The parser ignores fields after the first thousand.
  await app.register(formbody, { parser: (text) => parseForm(text) });
  await app.register(multipart);
  acceptEmptyJson(app);

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', PRIVATE);
    limiter?.checkApproximate(
      [addressGroup(normalizeAddress(request.ip))],
      ADDRESS_RATE_LIMIT,
      services.clock(),
    );
    if (request.is404) rejectUnknownRoute(request, reply);
  });
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply));
  // The onRequest hook above has already thrown.
  app.setNotFoundHandler(() => {});

  async function findViewer(
    request: FastifyRequest,
    requester: Requester,
    reply: Ctx['reply'],
  ): Promise<Viewer | null> {
    const { token, idle } = request.headers;
    const bearer = apiTokenOf(request);
    if (bearer !== null) {
      const viewer = await tokens(bearer, requester.address);
      if (viewer === null) {
        logTokenFailure(requester);
        throw new CallError('SIGN_IN_REQUIRED', { message: 'API 令牌无效，或已过期、被删除' });
      }
      return viewer;
    }
    const found =
      typeof token === 'string' && token !== '' ? await sessions.find(token, idle !== undefined) : null;
    // An invalid token: treated as a visitor, and the client is told to delete it.
    if (found === null && token !== undefined && token !== '') reply.token = '';
    if (found !== null && found.renewal !== null) reply.token = found.renewal;
    return found?.viewer ?? null;
  }

  async function createCtx(request: FastifyRequest, call: Call): Promise<Ctx> {
    const now = services.clock();
    const requester = requesterOf(request);
    const reply: Ctx['reply'] = {};
    const viewer = await findViewer(request, requester, reply);
    if (viewer !== null) limiter?.checkApproximate([viewer.id], ACCOUNT_RATE_LIMIT, now);
    return {
      services,
      db,
      viewer: limitViewerToScopes(viewer, call),
      now,
      requester,
      signal: request.ended,
      file: null,
      reply,
      pageTags: null,
      changes: [],
      effects: null,
    };
  }

  const methodsOf = methodsByUrl(bindings);

  /** Also covers routes next to the calls, such as the documentation. */
  function rejectUnknownRoute(request: FastifyRequest, reply: FastifyReply): never {
    const [address = ''] = request.url.split('?');
    const url = address.replace(/\/$/, '');
    const ofCalls = findMethods(methodsOf, url.slice(basePath.length + '/api'.length));
    const allowed = ofCalls ?? METHODS.filter((method) => app.hasRoute({ method, url }));
    if ([...allowed].length === 0) throw new CallError('NOT_FOUND', { message: '没有这个接口' });
    rejectMethod(reply, allowed);
  }

  const contexts = new WeakMap<FastifyRequest, Ctx>();

  /** Authenticates and authorises a request before its body is read. */
  async function authoriseRequest(call: Call, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const ctx = await createCtx(request, call);
    contexts.set(request, ctx);
    // Also sent if the body is rejected later.
    setToken(ctx, reply);
    maintenance.checkCall(ctx, call, request, reply);
    try {
      authorise(ctx, call);
    } catch (error) {
      throw apiTokenOf(request) === null ? error : toTokenError(error);
    }
  }

  function requireCtx(request: FastifyRequest): Ctx {
    const ctx = contexts.get(request);
    if (ctx === undefined) throw new Error('the request was not authorised');
    return ctx;
  }

  /** Only the canonical spelling of a URL is cached. */
  const isCacheableUrl = (url: string) =>
    url.length <= MAX_CACHED_URL_LENGTH && url.startsWith(`${basePath}/api/`);

  async function sendCachedResponse(
    binding: Binding,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const given = readInput(binding.call, request);
    const page = await services.pages.get(callKey(request.url.slice(basePath.length)), async () => {
      const pageTags = new Set<string>();
      const data = await executeCall({ ...systemCtx(services), pageTags }, binding, given, null);
      const body = toBody(data);
      return toCachedPage(body, {
        headers: { 'content-type': JSON_TYPE, 'cache-control': PRIVATE },
        tags: pageTags,
        isPrivate: true,
        maxAgeMs: RESPONSE_CACHE_MS,
        ...(body.length < MIN_COMPRESSED_BYTES && { compression: 'none' as const }),
      });
    });
    await sendCachedPage(request, reply, page);
  }

  async function handle(binding: Binding, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { call } = binding;
    if (binding.isCached && isVisitor(request) && isCacheableUrl(request.url))
      return sendCachedResponse(binding, request, reply);
    let ctx = requireCtx(request);
    let file: ReceivedFile | null = null;
    try {
      if (call.file !== undefined) {
        const sender = ctx.viewer?.id ?? addressGroup(ctx.requester.address);
        file = await receiveFile(request, sender, services.files, call.file.maxBytes);
      }
      if (services.clock().getTime() - ctx.now.getTime() > AUTHORISATION_TTL_MS) {
        await authoriseRequest(call, request, reply);
        ctx = requireCtx(request);
      }
      ctx.file = file;
      const data = await executeCall(ctx, binding, readInput(call, request), limiter);
      if (!request.ended.aborted) {
        setToken(ctx, reply);
        await sendBody(request, reply, toBody(data), call.access === 'anyone');
      }
      if (call.method !== 'GET') {
        request.log.info(
          { call: `${call.method} ${call.path}`, user: ctx.viewer?.id, address: ctx.requester.address },
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
      bodyLimit: binding.call.maxBodyBytes ?? MAX_BODY_BYTES,
      onRequest: (request, reply) => authoriseRequest(binding.call, request, reply),
      ...(binding.call.file === undefined ? {} : { config: { timeoutMs: FILE_TIMEOUT_MS } }),
      handler: async (request, reply) => {
        await handle(binding, request, reply);
        return reply;
      },
    });
  }

  for (const { method, url, allowed } of listMisleadingRoutes(methodsOf)) {
    app.route({
      method,
      url,
      onRequest: async (_request, reply) => rejectMethod(reply, allowed),
      handler: () => {},
    });
  }
}

const isVisitor = ({ headers: { token, authorization } }: FastifyRequest): boolean =>
  token === undefined && authorization === undefined;

/** Read from the header `token` or `authorization`. */
function apiTokenOf({ headers: { token, authorization } }: FastifyRequest): string | null {
  const given = typeof token === 'string' && token !== '' ? token : authorization?.replace(/^Bearer +/i, '');
  return given?.startsWith(API_TOKEN_PREFIX) ? given : null;
}

/** A GET route also handles HEAD. */
const allowOf = (methods: Iterable<string>): string =>
  [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

const urlOf = (call: Call): string => `/${call.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '')}`;

function rejectMethod(reply: FastifyReply, allowed: Iterable<string>): never {
  reply.header('allow', allowOf(allowed));
  throw new CallError('METHOD_NOT_ALLOWED');
}

type MethodsByUrl = Map<string, Set<string>>;

function methodsByUrl(bindings: Binding[]): MethodsByUrl {
  const methods: MethodsByUrl = new Map();
  for (const { call } of bindings) {
    const url = urlOf(call);
    const allowed = methods.get(url) ?? new Set();
    allowed.add(call.method);
    methods.set(url, allowed);
  }
  return methods;
}

/** Methods of the calls with this URL; null if there is no such call. Like the router, prefers URLs without parameters. */
function findMethods(methodsOf: MethodsByUrl, url: string): Set<string> | null {
  const exact = methodsOf.get(url);
  if (exact !== undefined) return exact;
  const path = url.split('/');
  return methodsOf.entries().find(([pattern]) => matchesRoute(pattern.split('/'), path))?.[1] ?? null;
}

/**
 * Methods that a URL does not allow, but that the router would pass to a call with a parameter: `GET essay/status` to
 * `GET essay/:id`. A route for every method of every URL would take a tenth of the start.
 */
function* listMisleadingRoutes(methodsOf: MethodsByUrl) {
  const withParameters = [...methodsOf].filter(([url]) => url.includes(':'));
  for (const [url, allowed] of methodsOf)
    for (const [pattern, methods] of withParameters)
      if (pattern !== url && matchesRoute(pattern.split('/'), url.split('/')))
        for (const method of methods) if (!allowed.has(method)) yield { method, url, allowed };
}

const bodies = new WeakMap<object, Buffer>();

/** Requests that share a result share its serialized bytes. */
function toBody(data: unknown): Buffer {
  const key = typeof data === 'object' ? data : null;
  const known = key === null ? undefined : bodies.get(key);
  if (known !== undefined) return known;
  const body = Buffer.from(JSON.stringify({ success: true, data }));
  if (key !== null) bodies.set(key, body);
  return body;
}

/** Compressing smaller bodies costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;
const compressedBodies = new WeakMap<Buffer, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Compresses a shared body once. Why only public calls are compressed: docs/decisions/0030. */
async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
  isOpen: boolean,
): Promise<void> {
  reply.type(JSON_TYPE);
  if (isOpen) reply.header('vary', 'accept-encoding');
  const encoding = isOpen && body.length >= MIN_COMPRESSED_BYTES ? encodingFor(request) : undefined;
  if (encoding === undefined) {
    reply.send(body);
    return;
  }
  const packed = compressedBodies.get(body) ?? {};
  compressedBodies.set(body, packed);
  packed[encoding] ??= fastCompress[encoding](body);
  reply.header('content-encoding', encoding).send(await packed[encoding]);
}

function setToken(ctx: Ctx, reply: FastifyReply): void {
  if (ctx.reply.token !== undefined) reply.header('token', ctx.reply.token);
}

/** Reads GET input from the query, DELETE from query or body, others from the body, and adds path parameters. */
function readInput(call: Call, request: FastifyRequest): Record<string, unknown> {
  const params = request.params as Record<string, unknown>;
  const query = request.query as Record<string, unknown>;
  const body = bodyOf(request);
  if (call.method === 'GET' || call.file !== undefined)
    return { ...coerceText(call.input, query), ...params };
  const type = request.headers['content-type']?.toLowerCase() ?? '';
  if (type.startsWith('multipart/')) throw new CallError('UNSUPPORTED_TYPE');
  const isForm = type.startsWith('application/x-www-form-urlencoded');
  const sent = isForm ? coerceText(call.input, body) : body;
  return call.method === 'DELETE'
    ? { ...coerceText(call.input, query), ...sent, ...params }
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

async function withUploadSlot<T>(sender: string, work: () => Promise<T>): Promise<T> {
  const running = receiving.get(sender) ?? 0;
  if (running >= MAX_PARALLEL_UPLOADS)
    throw new CallError('TOO_MANY_REQUESTS', { message: '同时上传的文件太多，请稍后再试', retryAfter: 5 });
  receiving.set(sender, running + 1);
  try {
    return await work();
  } finally {
    const left = (receiving.get(sender) ?? 1) - 1;
    if (left === 0) receiving.delete(sender);
    else receiving.set(sender, left);
  }
}

function receiveFile(
  request: FastifyRequest,
  sender: string,
  files: FileStore,
  maxBytes: number,
): Promise<ReceivedFile> {
  const missing = invalidField('file', '请选择要上传的文件');
  if (!request.isMultipart()) throw missing;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MAX_BODY_BYTES)
    throw new CallError('TOO_LARGE');
  return withUploadSlot(sender, async () => {
    let received: ReceivedFile | undefined;
    try {
      for await (const part of request.parts({ limits: { files: 2, fields: 1, fileSize: maxBytes } })) {
        if (part.type !== 'file' || part.fieldname !== 'file') throw missing;
        if (received !== undefined) throw invalidField('file', '一次只能上传一个文件');
        received = await files.receive(part.filename, part.file, request.ended);
        if (part.file.truncated) throw new CallError('TOO_LARGE');
      }
    } catch (error) {
      if (received !== undefined) await files.discard(received);
      const known = toCallError(error);
      // A body that cannot be parsed is a client error; a full disk is not.
      throw known.code === 'INTERNAL' && !isDiskError(error)
        ? new CallError('MALFORMED', { cause: error })
        : known;
    }
    if (received === undefined) throw missing;
    return received;
  });
}

const isDiskError = (error: unknown): boolean =>
  error instanceof Error && /^(open|write|fsync)$/.test((error as NodeJS.ErrnoException).syscall ?? '');

/** Accepts `content-type: application/json` without a body, which clients send with DELETE, as an empty object. */
function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body.toString();
    if (text === '') done(null, {});
    else if (!isWithinJsonLimits(text)) done(new CallError('MALFORMED', { message: '请求的内容太复杂' }));
    else parse(request, text, done);
  });
}

export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toCallError(thrown);
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, 'call failed');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return reply.code(error.status).header('cache-control', PRIVATE).send(toFailure(error, request.id));
}
