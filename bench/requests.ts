import { calls } from '@mozhan/contract/calls.ts';
import { type Call, isStaffCall } from '@mozhan/contract/define.ts';
import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import { routes } from '@mozhan/web/router/routes.ts';
import type pg from 'pg';
import type { z } from 'zod';

/** Ids and words that are there, by the name of the parameter they stand for. */
export type Sample = Record<string, string>;

export interface Request {
  /** Shows how it is asked for. */
  name: string;
  who: 'visitor' | 'user' | 'staff';
  path: (sample: Sample) => string;
}

const ESSAY = `select id from essays where status = ${ESSAY_STATUS.onShelf} and title like '% · %' and version % 50 = 0
  and version < 2000 order by version desc limit 1`;

/** The same on every site, and with as many rows: neither the first nor the last of an index. */
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

export async function takeSample(client: pg.Client): Promise<Sample> {
  const sample: Sample = { keyword: '数据', word: '作者1' };
  for (const [name, text] of Object.entries(SAMPLES)) {
    const values = text.includes('$1') ? [sample.userId] : [];
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    const [value] = Object.values(rows[0] ?? {});
    if (value !== undefined) sample[name] = plain(value);
  }
  return sample;
}

/** Which sample a call takes where the name of its parameter does not say it. */
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

/** Those of an enum, or of a choice of numbers. */
function valuesOf(given: Schema): string[] {
  const schema = unwrap(given);
  if (schema.type === 'enum') return (schema.options ?? []).map(String);
  if (schema.type === 'literal') return (schema.def.values ?? []).map(String);
  return schema.type === 'union' ? (schema.def.options ?? []).flatMap(valuesOf) : [];
}

const isRequired = (schema: unknown) => !(schema as z.ZodType).safeParse(undefined).success;

type Query = Record<string, (sample: Sample) => string>;

/** What a list is asked for: as it is, in every order, each filter by itself, each sample by itself. */
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

/** Calls for everyone are asked for by somebody signed in, who gets more of them; pages ask as visitors do. */
const whoOf = (call: Call): Request['who'] =>
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
    const shown = Object.entries(variant).map(([name, read]) => `${name}=${read({}) || '…'}`);
    return { name: [`GET ${call.path}`, ...shown].join(' '), who: whoOf(call), path };
  });
}

/** Pages for everyone; those behind an access key are the same shell for all. */
function pages(): Request[] {
  return routes.flatMap((route) => {
    if (!('page' in route)) return [];
    const id = route.path.startsWith('/user/') ? 'userId' : 'essayId';
    const path = ({ slug = '', [id]: found = '' }: Sample) =>
      route.path.replace(':slug', slug).replace(':id', found);
    return { name: `page ${route.path}`, who: 'visitor', path };
  });
}

/** No pages of the table. */
const FEEDS = ['/feed.xml', '/feed.json', '/sitemap.xml'];

/** All of the contract and the route table, and the calls whose parameters no sample is known for. */
export function findRequests(): { requests: Request[]; unknown: string[] } {
  const unknown: string[] = [];
  const asked = (calls as readonly Call[])
    .filter(({ method }) => method === 'GET')
    .flatMap((call) => {
      const found = requestsOf(call);
      if (typeof found !== 'string') return found;
      unknown.push(`GET ${call.path}: no sample of "${found}"`);
      return [];
    });
  const feeds = FEEDS.map((feed): Request => ({ name: `feed ${feed}`, who: 'visitor', path: () => feed }));
  return { requests: [...asked, ...pages(), ...feeds], unknown };
}
