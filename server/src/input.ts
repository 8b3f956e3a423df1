import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { z } from 'zod';
import { isWithinJsonLimits } from './json.ts';

type Raw = Record<string, unknown>;

function defaultMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? '请填写' : '类型不对';
    case 'too_small':
      if (issue.origin === 'string') return issue.minimum === 1 ? '请填写' : `至少 ${issue.minimum} 个字符`;
      if (issue.origin === 'array') return `至少 ${issue.minimum} 项`;
      return `不能小于 ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `最多 ${issue.maximum} 个字符`;
      if (issue.origin === 'array') return `最多 ${issue.maximum} 项`;
      return `不能大于 ${issue.maximum}`;
    case 'invalid_value':
      return '不是可选的值';
    default:
      return '格式不对';
  }
}
z.config({ customError: defaultMessage });

/** Validates the input of a call; throws an error with a message for each invalid field. */
export function parseInput<S extends z.ZodType>(schema: S, raw: Raw): z.output<S> {
  const parsed = schema.safeParse(raw);
  if (parsed.success) {
    rejectUnstorable(raw);
    return parsed.data;
  }
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const [field, message] = Object.entries(fields)[0] ?? ['', '格式不对'];
  const title = titleOf(schema, field.split('.')[0] ?? '');
  throw new CallError('INVALID', {
    message: message.startsWith(title) ? message : `${title}：${message}`,
    fields,
  });
}

/** PostgreSQL text can hold neither NUL nor an unpaired surrogate. */
function rejectUnstorable(raw: Raw): void {
  for (const [field, value] of Object.entries(raw)) {
    if (!isStorable(value)) throw invalidField(field, '含有不允许的字符');
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

function titleOf(schema: z.ZodType, field: string): string {
  const shape = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
  for (let current = shape[field]; current !== undefined; current = unwrapSchema(current)) {
    const title = current.meta()?.title;
    if (title !== undefined) return title;
  }
  return field;
}

function unwrapSchema(schema: z.ZodType): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return schema.unwrap() as z.ZodType;
  }
  if (schema instanceof z.ZodPipe) return schema.in as z.ZodType;
  return undefined;
}

/**
 * Converts the text values of query strings and forms to the numbers, booleans, lists and objects that the schema
 * expects. Not for JSON bodies, where "100" must not count as a number.
 */
export function coerceText(schema: z.ZodType, raw: Raw): Raw {
  if (!(schema instanceof z.ZodObject)) return raw;
  const read: Raw = { ...raw };
  for (const [field, fieldSchema] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    if (field in read) read[field] = coerceValue(fieldSchema, read[field]);
  }
  return read;
}

function coerceValue(schema: z.ZodType, value: unknown): unknown {
  let core = schema;
  for (let next = unwrapSchema(core); next !== undefined; next = unwrapSchema(core)) core = next;
  if (core instanceof z.ZodArray) {
    const list = Array.isArray(value) ? value : [value];
    return list.map((each) => coerceValue(core.element as z.ZodType, each));
  }
  const text = Array.isArray(value) ? value.at(-1) : value;
  if (typeof text !== 'string') return text;
  const expected = primitiveTypesOf(core);
  if (expected.has('number') && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (expected.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (expected.has('object')) return parseJson(text);
  return text;
}

function primitiveTypesOf(schema: z.ZodType): Set<string> {
  if (schema instanceof z.ZodUnion)
    return new Set(schema.options.flatMap((option) => [...primitiveTypesOf(option as z.ZodType)]));
  if (schema instanceof z.ZodLiteral) return new Set([...schema.values].map((value) => typeof value));
  if (schema instanceof z.ZodNumber) return new Set(['number']);
  if (schema instanceof z.ZodBoolean) return new Set(['boolean']);
  if (schema instanceof z.ZodObject) return new Set(['object']);
  return new Set();
}

function parseJson(text: string): unknown {
  try {
    return isWithinJsonLimits(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}
