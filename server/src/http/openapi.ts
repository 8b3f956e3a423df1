import { requestId } from '@mozhan/contract/common.ts';
import { type Call, isStaffCall, isWrite } from '@mozhan/contract/define.ts';
import { type ErrorCode, errors, SHOW_TYPE } from '@mozhan/contract/errors.ts';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Also `anyone`'s: an API token may have ended or lack a scope, and what is asked for may be gone or not one's own. */
const everyCall: ErrorCode[] = [
  'MALFORMED',
  'SIGN_IN_REQUIRED',
  'FORBIDDEN',
  'TOKEN_SCOPE',
  'NOT_FOUND',
  'INVALID',
  'TOO_MANY_REQUESTS',
  'INTERNAL',
  'UNAVAILABLE',
  'TIMEOUT',
];
/** Of what has a body. */
const everyBody: ErrorCode[] = ['TOO_LARGE', 'UNSUPPORTED_TYPE'];
const whoText = { anyone: '所有人', user: '已登录用户', writer: '作者' };

const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' });
  return schema;
};

/** Types that contain themselves are named; their definitions belong to the document, not to the place of use. */
function hoist(node: unknown, named: Json): unknown {
  if (Array.isArray(node)) return node.map((each) => hoist(each, named));
  if (typeof node !== 'object' || node === null) return node;
  const { $defs = {}, ...rest } = node as Json & { $defs?: Json };
  for (const [name, definition] of Object.entries($defs)) named[name] = hoist(definition, named);
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : hoist(value, named),
    ]),
  );
}

const envelope = (data: Json): Json => ({
  type: 'object',
  required: ['success', 'data'],
  properties: { success: { const: true }, data },
});

/** Every error that the call may answer with; the tests hold each answer they get against it. */
export function codesOf(call: Call): ErrorCode[] {
  const isOpenRead = call.who === 'anyone' && !isWrite(call);
  const password: ErrorCode[] = isOpenRead ? [] : ['PASSWORD_CHANGE_REQUIRED'];
  const body = call.method === 'GET' ? [] : everyBody;
  const writes: ErrorCode[] = isWrite(call) && call.secret !== true ? ['REQUEST_ID_REUSED'] : [];
  return [...new Set([...(call.errors ?? []), ...password, ...writes, ...body, ...everyCall])];
}

function responsesOf(call: Call): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(call)) {
    const [status] = errors[code];
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
        status === 200 ? '成功，或业务上的拒绝' : codes.map((code) => errors[code][1]).join('；');
      return [String(status), { description, content: { 'application/json': { schema } } }];
    }),
  );
}

function descriptionOf(call: Call): string {
  const who = isStaffCall(call) ? `有权限 ${call.who} 的工作人员` : whoText[call.who as keyof typeof whoText];
  const staff = call.orStaff?.length ? `；对别人的内容：有权限 ${call.orStaff.join(' 或 ')} 的工作人员` : '';
  return `谁可以调用：${who}${staff}${call.scope === undefined ? '' : `；API 令牌需要 ${call.scope}`}`;
}

const securityOf = (call: Call): Json[] => [
  ...(call.who === 'anyone' ? [{}] : []),
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

/** The whole contract as OpenAPI 3.1, from the same schemas that validate the requests. */
export function openApi(calls: readonly Call[], title: string, version: string, server: string): Json {
  const paths: Record<string, Json> = {};
  const named: Json = {};
  for (const call of calls) {
    const path = `/api/${call.path}`;
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: hoist(operationOf(call), named) };
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
            errorCode: { type: 'string', enum: Object.keys(errors) },
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
