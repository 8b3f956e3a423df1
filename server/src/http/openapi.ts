import { requestId } from '@mozhan/contract/common.ts';
import { type Call, isStaffCall, isWrite } from '@mozhan/contract/define.ts';
import { type ErrorCode, errorDefinitions, SHOW_TYPE } from '@mozhan/contract/errors.ts';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Errors of every call, including public ones, which may be made with an invalid API token. */
const commonErrors: ErrorCode[] = [
  'MALFORMED',
  'SIGN_IN_REQUIRED',
  'FORBIDDEN',
  'TOKEN_SCOPE',
  'ADDRESS_BANNED',
  'NOT_FOUND',
  'INVALID',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'MAINTENANCE',
  'UNAVAILABLE',
  'TIMEOUT',
];
const bodyErrors: ErrorCode[] = ['TOO_LARGE', 'UNSUPPORTED_TYPE'];
const accessLabels = { anyone: '所有人', user: '已登录用户', writer: '作者' };

const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};

/** Moves the definitions of recursive types from their place of use to the document's components. */
function hoistDefinitions(node: unknown, named: Json): unknown {
  if (Array.isArray(node)) return node.map((each) => hoistDefinitions(each, named));
  if (typeof node !== 'object' || node === null) return node;
  const { $defs = {}, ...rest } = node as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs)) named[name] = hoistDefinitions(definition, named);
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref'
        ? String(value).replace('#/$defs/', '#/components/schemas/')
        : hoistDefinitions(value, named),
    ]),
  );
}

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, data },
});

/** All error codes that a call may return; tests check every response against this list. */
export function errorCodesOf(call: Call): ErrorCode[] {
  const isOpenRead = call.access === 'anyone' && !isWrite(call);
  const password: ErrorCode[] = isOpenRead ? [] : ['PASSWORD_CHANGE_REQUIRED'];
  const body = call.method === 'GET' ? [] : bodyErrors;
  const writes: ErrorCode[] = isWrite(call) && call.secret !== true ? ['REQUEST_ID_REUSED'] : [];
  const feature: ErrorCode[] = call.feature === undefined ? [] : ['SWITCHED_OFF'];
  return [...new Set([...(call.errors ?? []), ...feature, ...password, ...writes, ...body, ...commonErrors])];
}

function responsesOf(call: Call): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(call)) {
    const [status] = errorDefinitions[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const refused = byStatus.get(200) ?? [];
  const failure = (codes: ErrorCode[]): Json => ({
    allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { errorCode: { enum: codes } } }],
  });
  const success = envelope(schemaOf(call.output, 'output'));
  return Object.fromEntries(
    [...new Set([200, ...byStatus.keys()])].sort().map((status) => {
      const codes = byStatus.get(status) ?? [];
      const schema =
        status !== 200
          ? failure(codes)
          : refused.length > 0
            ? { oneOf: [success, failure(refused)] }
            : success;
      const description =
        status === 200 ? '成功，或业务上的拒绝' : codes.map((code) => errorDefinitions[code][1]).join('；');
      return [String(status), { description, content: { 'application/json': { schema } } }];
    }),
  );
}

function descriptionOf(call: Call): string {
  const who = isStaffCall(call)
    ? `有权限 ${call.access} 的工作人员`
    : accessLabels[call.access as keyof typeof accessLabels];
  const staff = call.staffPermissions?.length
    ? `；对别人的内容：有权限 ${call.staffPermissions.join(' 或 ')} 的工作人员`
    : '';
  return `谁可以调用：${who}${staff}${call.scope === undefined ? '' : `；API 令牌需要 ${call.scope}`}`;
}

const securityOf = (call: Call): Json[] => [
  ...(call.access === 'anyone' ? [{}] : []),
  { token: [] },
  ...(call.scope === undefined ? [] : [{ apiToken: [call.scope] }]),
];

function operationOf(call: Call): Json {
  const schema = schemaOf(call.input, 'input');
  const properties = { ...((schema.properties ?? {}) as Json) };
  if (isWrite(call) && call.secret !== true) properties.requestId = schemaOf(requestId, 'input');
  const required = new Set((schema.required ?? []) as string[]);
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const inQuery = call.method === 'GET' || call.method === 'DELETE';
  const parameters = Object.entries(properties)
    .filter(([name]) => inQuery || call.file !== undefined || inPath.includes(name))
    .map(([name, type]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: required.has(name),
      schema: type,
    }));
  const body = { ...schema, properties };
  const fileBody = {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', format: 'binary' } },
  };
  return {
    operationId: `${call.method.toLowerCase()}-${call.path.replace(/[^\w]+/g, '-').replace(/-$/, '')}`,
    summary: call.summary,
    tags: [call.path.split('/').slice(0, 2).join('/')],
    description: descriptionOf(call),
    security: securityOf(call),
    parameters,
    ...(inQuery
      ? {}
      : {
          requestBody: {
            required: true,
            content:
              call.file !== undefined
                ? { 'multipart/form-data': { schema: fileBody } }
                : {
                    'application/json': { schema: body },
                    'application/x-www-form-urlencoded': { schema: body },
                  },
          },
        }),
    responses: responsesOf(call),
  };
}

/** Generates the OpenAPI 3.1 document from the schemas that validate requests. */
export function createOpenApiDocument(
  calls: readonly Call[],
  title: string,
  version: string,
  server: string,
): Json {
  const paths: Record<string, Json> = {};
  const named: Json = {};
  for (const call of calls) {
    const path = `/api/${call.path}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: hoistDefinitions(operationOf(call), named) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version,
      description:
        '响应总是 JSON 信封：成功 { success: true, data }，失败 { success: false, errorCode, errorMessage, showType }。请求头 token 表示登录；响应头 token 替换所存的凭证，空值表示凭证已失效、应当丢弃。' +
        "实时事件经 Socket.IO 送达：路径 /api/live，auth: { token }，并须设置 transports: ['websocket']（不支持轮询）。",
    },
    servers: [{ url: server }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'token' },
        apiToken: { type: 'http', scheme: 'bearer', description: '作者的 API 令牌，mzt_ 开头' },
      },
      schemas: {
        ...named,
        Failure: {
          type: 'object',
          required: ['success', 'errorCode', 'errorMessage', 'showType'],
          properties: {
            success: { const: false },
            errorCode: { type: 'string', enum: Object.keys(errorDefinitions) },
            errorMessage: { type: 'string' },
            showType: { enum: Object.values(SHOW_TYPE) },
            data: {
              type: 'object',
              properties: { fields: { type: 'object', additionalProperties: { type: 'string' } } },
            },
            requestId: { type: 'string' },
          },
        },
      },
    },
  };
}
