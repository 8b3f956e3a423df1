import { calls } from '@mozhan/contract/calls.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { routes } from '@mozhan/web/router/routes.ts';
import type pg from 'pg';
import type { z } from 'zod';

/** Existing ids and words by parameter name. */
export type Sample = Record<string, string>;

export interface Request {
  name: string;
  role: 'visitor' | 'user' | 'staff';
  path: (sample: Sample) => string;
}

const ESSAY = `select id from essays where status = ${ESSAY_STATUS.onShelf} and title like '% · %' and version % 50 = 0
  and version < 2000 order by version desc limit 1`;

/** Selects comparable objects on every site, not the first or last entry of an index. */
const SAMPLES: Record<string, string> = {
  userId: `select author_id from essays where title like '% · %' group by 1 order by abs(count(*) - 20), 1 limit 1`,
  essayId: ESSAY,
  ownEssayId: `select id from essays where author_id = $1 and status = ${ESSAY_STATUS.onShelf} order by id limit 1`,
  cmtId: `select id from comments where essay_id = (${ESSAY}) order by id limit 1`,
  columnId: 'select id from columns order by id limit 1',
  folderId: 'select id from folders where user_id = $1 limit 1',
  categoryId: `select id from categories order by id limit 1`,
  roleId: 'select id from roles order by id limit 1',
  tag: 'select name from tags order by essay_count desc, name limit 1',
  slug: 'select slug from categories order by id limit 1',
  orderId: `select id from orders where user_id = $1 order by id limit 1`,
  dictCode: 'select code from dicts order by code limit 1',
  dictId: 'select id from dicts order by code limit 1',
};

const plain = (value: unknown) =>
  String(value).replace(/^(\w{8})-(\w{4})-(\w{4})-(\w{4})-(\w{12})$/, '$1$2$3$4$5');

export async function readSample(client: pg.Client): Promise<Sample> {
  const sample: Sample = { keyword: '数据', word: '作者1' };
  for (const [name, text] of Object.entries(SAMPLES)) {
    const values = text.includes('$1') ? [sample.userId] : [];
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    const [value] = Object.values(rows[0] ?? {});
    if (value !== undefined) sample[name] = plain(value);
  }
  return sample;
}

/** Sample name for parameters whose own name is not a sample. */
const PARAMETERS: [path: RegExp, parameter: string, sample: string][] = [
  [/^core\/essay\/\{id\}\/(source|revision)$/, 'id', 'ownEssayId'],
  [/^core\/essay\/cmt$/, 'id', 'cmtId'],
  [/^core\/essay\/column$/, 'id', 'columnId'],
  [/^core\/user\/folder$/, 'id', 'folderId'],
  [/^core\/user\/order$/, 'id', 'orderId'],
  [/^core\/(sys\/)?essay\//, 'id', 'essayId'],
  [/^core\/(sys\/)?user\//, 'id', 'userId'],
  [/^core\/(sys\/log|sys\/ledger|sys\/user|sys\/account|sys\/session|user)\/$/, 'keyword', 'word'],
  [/^core\/sys\/dict\/item\/$/, 'code', 'dictCode'],
  [/./, 'authorId', 'userId'],
  [/./, 'ownerId', 'userId'],
  [/./, 'keyword', 'keyword'],
];

function sampleFor(path: string, parameter: string): string | null {
  if (parameter in SAMPLES) return parameter;
  return PARAMETERS.find(([at, name]) => name === parameter && at.test(path))?.[2] ?? null;
}

interface Schema {
  type: string;
  options?: readonly unknown[];
  def: { innerType?: Schema; options?: readonly Schema[]; values?: readonly unknown[] };
}

const unwrap = (schema: Schema): Schema =>
  schema.def.innerType === undefined ? schema : unwrap(schema.def.innerType);

/** Values of an enum or of a union of literals. */
function valuesOf(input: Schema): string[] {
  const schema = unwrap(input);
  if (schema.type === 'enum') return (schema.options ?? []).map(String);
  if (schema.type === 'literal') return (schema.def.values ?? []).map(String);
  return schema.type === 'union' ? (schema.def.options ?? []).flatMap(valuesOf) : [];
}

const isRequired = (schema: unknown) => !(schema as z.ZodType).safeParse(undefined).success;

type Query = Record<string, (sample: Sample) => string>;

/** Query variants of a list: default, every order, and each filter and sample alone. */
function variantsOf({ path }: Call, shape: Record<string, Schema>): Query[] {
  const variants: Query[] = [{}];
  for (const [name, schema] of Object.entries(shape)) {
    if (name === 'order') continue;
    const sample = sampleFor(path, name);
    if (name === 'sort')
      for (const field of valuesOf(schema))
        for (const order of 'order' in shape ? Object.values(FLAG) : [])
          variants.push({ sort: () => field, order: () => String(order) });
    else if (sample !== null && !isRequired(schema))
      variants.push({ [name]: (found) => found[sample] ?? '' });
    else for (const value of valuesOf(schema)) variants.push({ [name]: () => value });
  }
  return variants;
}

/** Public calls are made as a signed-in user, which costs more; pages are requested as a visitor. */
const roleOf = (call: Call): Request['role'] =>
  isStaffCall(call) || call.path.startsWith('core/sys/') ? 'staff' : 'user';

function requestsOf(call: Call): Request[] | string {
  const shape = (call.input as unknown as { shape?: Record<string, Schema> }).shape ?? {};
  const needed: Query = {};
  for (const [name, schema] of Object.entries(shape)) {
    if (!isRequired(schema)) continue;
    const sample = sampleFor(call.path, name);
    const [value] = valuesOf(schema);
    if (sample === null && value === undefined) return name;
    needed[name] = (found) => (sample === null ? value : found[sample]) ?? '';
  }
  return variantsOf(call, shape).map((variant) => {
    const query = { ...needed, ...variant };
    const path = (sample: Sample) => {
      const rest = Object.entries(query).filter(([name]) => !call.path.includes(`{${name}}`));
      const search = new URLSearchParams(rest.map(([name, read]) => [name, read(sample)])).toString();
      const filled = call.path.replace(/\{(\w+)\}/g, (_, name: string) => query[name]?.(sample) ?? '');
      return `/api/${filled}${search === '' ? '' : `?${search}`}`;
    };
    const parameters = Object.entries(variant).map(([name, read]) => `${name}=${read({}) || '…'}`);
    return { name: [`GET ${call.path}`, ...parameters].join(' '), role: roleOf(call), path };
  });
}

/** Public pages; protected pages are the same shell for all users. */
function pages(): Request[] {
  return routes.flatMap((route) => {
    if (!('page' in route)) return [];
    const id = route.path.startsWith('/user/') ? 'userId' : 'essayId';
    const path = ({ slug = '', [id]: found = '' }: Sample) =>
      route.path.replace(':slug', slug).replace(':id', found);
    return { name: `page ${route.path}`, role: 'visitor', path };
  });
}

/** Not in the route table. */
const FEEDS = ['/feed.xml', '/feed.json', '/sitemap.xml'];

/** Requests for all GET calls and pages, and the calls with parameters that have no sample. */
export function findRequests(): { requests: Request[]; unknown: string[] } {
  const unknown: string[] = [];
  const callRequests = (calls as readonly Call[])
    .filter(({ method }) => method === 'GET')
    .flatMap((call) => {
      const found = requestsOf(call);
      if (typeof found !== 'string') return found;
      unknown.push(`GET ${call.path}: no sample of "${found}"`);
      return [];
    });
  const feeds = FEEDS.map((feed): Request => ({ name: `feed ${feed}`, role: 'visitor', path: () => feed }));
  return { requests: [...callRequests, ...pages(), ...feeds], unknown };
}
