import { z } from 'zod';
import { FLAG, SORT_ORDER } from './enums.ts';
import { addMissingScheme, hasWebScheme, WEB_ADDRESS_MESSAGE } from './web-address.ts';

export const id = z
  .string()
  .regex(/^[0-9a-f]{32}$/, '编号的格式不对')
  .meta({ title: '编号' });

/** ISO 8601 in UTC. */
export const time = z.string();

export const done = z.object({ done: z.literal(true) });

export const oneOf = <const V extends readonly number[]>(...values: V) =>
  z.union(values.map((value) => z.literal(value)) as unknown as { [I in keyof V]: z.ZodLiteral<V[I]> });

/** A boolean sent as 0 or 1, such as `enabled`. */
export const flag = oneOf(FLAG.off, FLAG.on);

export const pageNumber = z.int().min(1).max(1_000_000).meta({ title: '页码' });
export const pageSize = z.int().min(1).max(100).meta({ title: '每页条数' });

/** A cursor is the key of a row (JSON in base64url), or an offset in search results. */
function isCursor(text: string): boolean {
  if (/^\d{1,4}$/.test(text)) return true;
  try {
    const bytes = String.fromCharCode(...z.util.base64urlToUint8Array(text));
    return bytes.startsWith('["') && /^[0-9a-f]{32}"\]$/.test(bytes.slice(-34));
  } catch {
    return false;
  }
}

export const cursor = z
  .string()
  .max(300)
  .refine(isCursor, '游标无效，请从第一页重新开始')
  .meta({ title: '游标' });

export const pageInput = z.object({
  page: pageNumber.default(1),
  pageSize: pageSize.default(10),
  cursor: cursor.optional(),
  sort: z.string().max(40).optional().meta({ title: '排序字段' }),
  order: oneOf(SORT_ORDER.ascending, SORT_ORDER.descending)
    .optional()
    .meta({ title: '排序方向', description: '0 升序，1 降序' }),
});

/** For lists with a fixed order. */
export const listInput = pageInput.pick({ page: true, pageSize: true, cursor: true });

export const sortBy = <const F extends readonly [string, ...string[]]>(...fields: F) => ({
  sort: z.enum(fields).optional().meta({ title: '排序字段' }),
  order: pageInput.shape.order,
});

/** Days in the site's time zone, both inclusive. */
const day = z.iso
  .date('日期的写法是 2026-01-31')
  .refine((text) => text >= '2000-01-01', '请用 2000 年以后的日期');
export const dayRange = {
  from: day.optional().meta({ title: '从哪天', description: '北京时间' }),
  to: day.optional().meta({ title: '到哪天' }),
};

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    list: z.array(item),
    total: z.int(),
    page: z.int(),
    pageSize: z.int(),
    next: z.string().nullable(),
  });

export interface Page<T> {
  list: T[];
  total: number;
  page: number;
  pageSize: number;
  next: string | null;
}

const url = z.url();
const isWebAddress = (text: string): boolean => hasWebScheme(text) && url.safeParse(text).success;

/** An http(s) URL; `https://` is added when the scheme is missing. */
export const webAddress = (max: number) =>
  z.string().overwrite(addMissingScheme).max(max).refine(isWebAddress, WEB_ADDRESS_MESSAGE);

/** Also accepts an empty string. */
export const optionalWebAddress = (max: number) =>
  z
    .string()
    .overwrite(addMissingScheme)
    .max(max)
    .refine((text) => text === '' || isWebAddress(text), WEB_ADDRESS_MESSAGE);

/** Idempotency key: a repeated write returns the first result. Every write accepts it. */
export const requestId = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({ title: '请求编号', description: '同一用户 24 小时内重复提交时返回第一次的结果' });
