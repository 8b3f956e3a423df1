import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from './calls.ts';
import { type Call, MAX_BODY_BYTES } from './define.ts';

type Json = Record<string, unknown>;

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJson) : []);

const MAX_BYTES_PER_CHARACTER = 4;
const MAX_NUMBER_BYTES = 30;
const ID = '^[0-9a-f]{32}$';
/** Assumed maximum length of a string that a format or pattern limits. */
const MAX_PATTERNED_LENGTH = 64;

/** Size in bytes of the largest JSON that the schema accepts; Infinity when a part has no limit. */
function maxJsonBytes(schema: Json, defs: Json, parentRefs: string[] = []): number {
  const { $ref, type, properties, items, maxItems, maxLength, maxBytes } = schema;
  if (typeof maxBytes === 'number') return maxBytes;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return parentRefs.includes(name)
      ? Infinity
      : maxJsonBytes(asJson(defs[name]), defs, [...parentRefs, name]);
  }
  const options = asList(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return Math.max(...options.map((each) => maxJsonBytes(each, defs, parentRefs)));
  const fixed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  if (fixed.length > 0) return Math.max(...fixed.map((each) => Buffer.byteLength(JSON.stringify(each))));
  if (schema.pattern === ID) return 34;
  if (type === 'string') {
    const isPatterned = ['pattern', 'format', 'allOf'].some((key) => key in schema);
    return (
      MAX_BYTES_PER_CHARACTER * (Number(maxLength) || (isPatterned ? MAX_PATTERNED_LENGTH : Infinity)) + 2
    );
  }
  if (type === 'array') {
    const item = asJson(items);
    // An array of enum values has at most one of each.
    const count = Number(maxItems) || (Array.isArray(item.enum) ? item.enum.length : Infinity);
    return count * (maxJsonBytes(item, defs, parentRefs) + 1) + 2;
  }
  if (properties === undefined) return MAX_NUMBER_BYTES;
  return Object.entries(asJson(properties)).reduce(
    (sum, [name, each]) => sum + name.length + 4 + maxJsonBytes(asJson(each), defs, parentRefs),
    2,
  );
}

const callsWithBody: readonly Call[] = calls.filter(
  (call: Call) => call.method !== 'GET' && call.file === undefined,
);

test.each(callsWithBody.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s: the body limit allows the largest valid input',
  (_name, { input, maxBodyBytes: maxBody = MAX_BODY_BYTES }) => {
    const schema = asJson(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    // 500 bytes for the request id and some reserve.
    expect(maxJsonBytes(schema, asJson(schema.$defs)) + 500).toBeLessThanOrEqual(maxBody);
  },
);

test('only calls with large inputs declare a larger body limit', () => {
  for (const { input, maxBodyBytes: maxBody } of callsWithBody) {
    if (maxBody === undefined) continue;
    expect(maxBody).toBeGreaterThan(MAX_BODY_BYTES);
    const schema = asJson(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    expect(maxJsonBytes(schema, asJson(schema.$defs))).toBeGreaterThan(MAX_BODY_BYTES / 2);
  }
});
