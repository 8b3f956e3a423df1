import { z } from 'zod';
import { dayRange, done, flag, id, listInput, pageOf, time } from './common.ts';
import { defineCall } from './define.ts';
import { FLAG } from './enums.ts';

export const webhookEvents = [
  'essay.published',
  'essay.restored',
  'essay.removed',
  'order.paid',
  'order.refunded',
  'comment.created',
] as const;
const event = z.enum(webhookEvents);
export type WebhookEvent = z.output<typeof event>;

/** The subscribable events, and `ping`, which tests an endpoint. */
const sentEvent = z.enum([...webhookEvents, 'ping']);
export type SentEvent = z.output<typeof sentEvent>;

const endpoint = z.object({
  id,
  name: z.string(),
  url: z.string(),
  events: z.array(event),
  enabled: flag,
  failingSince: time.nullable().meta({ description: '从何时起一直没有送达' }),
  disabledAt: time.nullable().meta({ description: '因多日没有送达而被停用' }),
  createdAt: time,
});
export type WebhookEndpoint = z.output<typeof endpoint>;

const fields = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
    .meta({ title: '名称' }),
  url: z
    .string()
    .trim()
    .max(500)
    .pipe(z.url({ protocol: /^https?$/, error: '请填写以 https:// 开头的网址' }))
    .meta({ title: '网址' }),
  events: z
    .array(event)
    .min(1, '请至少选择一种事件')
    .transform((list) => webhookEvents.filter((each) => list.includes(each)))
    .meta({ title: '事件' }),
  enabled: flag.meta({ title: '启用' }),
});

export const listEndpoints = defineCall({
  method: 'GET',
  path: 'core/sys/webhook/',
  summary: '外部通知：发往哪里、有哪些事件',
  access: 'webhook:list',
  input: z.object({}),
  output: z.object({ list: z.array(endpoint) }),
});

const endpointWithSecret = endpoint.extend({ secret: z.string().meta({ description: '签名的密钥' }) });

export const createEndpoint = defineCall({
  method: 'POST',
  path: 'core/sys/webhook/',
  summary: '新建外部通知',
  access: 'webhook:create',
  secret: true,
  input: fields,
  output: endpointWithSecret,
});

export const updateEndpoint = defineCall({
  method: 'PUT',
  path: 'core/sys/webhook/',
  summary: '修改外部通知；renew=1 更换密钥',
  access: 'webhook:update',
  input: fields.partial().extend({ id, renew: z.literal(FLAG.on).optional().meta({ title: '更换密钥' }) }),
  output: endpoint,
});

export const removeEndpoint = defineCall({
  method: 'DELETE',
  path: 'core/sys/webhook/',
  summary: '删除外部通知及其记录',
  access: 'webhook:remove',
  input: z.object({ id }),
  output: done,
});

export const getEndpointSecret = defineCall({
  method: 'GET',
  path: 'core/sys/webhook/secret',
  summary: '签名的密钥',
  access: 'webhook:update',
  input: z.object({ id }),
  output: z.object({ secret: z.string() }),
});

export const testEndpoint = defineCall({
  method: 'POST',
  path: 'core/sys/webhook/test',
  summary: '发送一次测试',
  access: 'webhook:update',
  input: z.object({ id }),
  output: z.object({ id: id.meta({ description: '投递的编号' }) }),
  limit: { max: 30, per: 60 },
});

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const;
const deliveryStatus = z.enum(deliveryStatuses).meta({ title: '状态' });
export type DeliveryStatus = z.output<typeof deliveryStatus>;

const attemptResult = {
  code: z.int().nullable().meta({ description: '对方响应的状态码' }),
  error: z.string(),
  duration: z.int().nullable().meta({ description: '毫秒' }),
};

const delivery = z.object({
  id,
  endpoint: endpoint.pick({ id: true, name: true, url: true, enabled: true }),
  event: sentEvent,
  status: deliveryStatus,
  attempts: z.int(),
  nextAt: time.nullable(),
  ...attemptResult,
  createdAt: time,
});
export type WebhookDelivery = z.output<typeof delivery>;

export const listDeliveries = defineCall({
  method: 'GET',
  path: 'core/sys/webhook/delivery',
  summary: '投递记录，新的在前，保留 30 天',
  access: 'webhook:list',
  input: listInput.extend({
    endpointId: id.optional().meta({ title: '外部通知' }),
    event: sentEvent.optional().meta({ title: '事件' }),
    status: deliveryStatus.optional(),
    ...dayRange,
  }),
  output: pageOf(delivery),
});

export const getDelivery = defineCall({
  method: 'GET',
  path: 'core/sys/webhook/delivery/{id}',
  summary: '一次投递：内容、响应与历次尝试',
  access: 'webhook:list',
  input: z.object({ id }),
  output: delivery.extend({
    body: z.string(),
    response: z.string().meta({ description: '响应的开头，最多 4 KB' }),
    log: z.array(z.object({ at: time, ...attemptResult })),
  }),
});

export const redeliver = defineCall({
  method: 'POST',
  path: 'core/sys/webhook/redeliver',
  summary: '重新投递；正在等待的和已停用的跳过',
  access: 'webhook:update',
  input: z.object({ ids: z.array(id).min(1).max(100) }),
  output: z.object({ count: z.int() }),
});

export const calls = [
  listEndpoints,
  createEndpoint,
  updateEndpoint,
  removeEndpoint,
  getEndpointSecret,
  testEndpoint,
  listDeliveries,
  getDelivery,
  redeliver,
] as const;
