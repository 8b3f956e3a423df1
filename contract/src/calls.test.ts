import { expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from './calls.ts';
import { type Call, MAX_BODY } from './define.ts';

type Json = Record<string, unknown>;

const asJson = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const asList = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJson) : []);

/** A character takes up to four bytes. */
const BYTES = 4;
const NUMBER = 30;
const ID = '^[0-9a-f]{32}$';
/** What a format or a pattern leaves room for. */
const PATTERNED = 64;

/** The bytes of the largest JSON that fits a schema; infinite when a part of it has no end. */
function largest(schema: Json, defs: Json, above: string[] = []): number {
  const { $ref, type, properties, items, maxItems, maxLength } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return above.includes(name) ? Infinity : largest(asJson(defs[name]), defs, [...above, name]);
  }
  const options = asList(schema.anyOf ?? schema.oneOf);
  if (options.length > 0) return Math.max(...options.map((each) => largest(each, defs, above)));
  const fixed = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  if (fixed.length > 0) return Math.max(...fixed.map((each) => Buffer.byteLength(JSON.stringify(each))));
  if (schema.pattern === ID) return 34;
  if (type === 'string') {
    const isPatterned = ['pattern', 'format', 'allOf'].some((key) => key in schema);
    return BYTES * (Number(maxLength) || (isPatterned ? PATTERNED : Infinity)) + 2;
  }
  if (type === 'array') {
    const item = asJson(items);
    // As many as there are to choose from.
    const count = Number(maxItems) || (Array.isArray(item.enum) ? item.enum.length : Infinity);
    return count * (largest(item, defs, above) + 1) + 2;
  }
  if (properties === undefined) return NUMBER;
  return Object.entries(asJson(properties)).reduce(
    (sum, [name, each]) => sum + name.length + 4 + largest(asJson(each), defs, above),
    2,
  );
}

const withBody: readonly Call[] = calls.filter(
  (call: Call) => call.method !== 'GET' && call.file === undefined,
);

test.each(withBody.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s takes the longest input that its fields allow',
  (_name, { input, maxBody = MAX_BODY }) => {
    const schema = asJson(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    // With a request id, and room to spare.
    expect(largest(schema, asJson(schema.$defs)) + 500).toBeLessThanOrEqual(maxBody);
  },
);

test('only what needs more than others may send more', () => {
  for (const { input, maxBody } of withBody) {
    if (maxBody === undefined) continue;
    expect(maxBody).toBeGreaterThan(MAX_BODY);
    const schema = asJson(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
    expect(largest(schema, asJson(schema.$defs))).toBeGreaterThan(MAX_BODY / 2);
  }
});
