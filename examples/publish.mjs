#!/usr/bin/env node
/**
 * Publishes Markdown files to a Mozhan site: uploads their pictures, creates or updates the essay, hands it in.
 *
 *   MOZHAN_URL=https://site MOZHAN_TOKEN=mzt_… node publish.mjs [--draft] post.md …
 *
 * Needs Node 22 or newer and the package `yaml`. docs/publish-from-the-command-line.md tells the rest.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';

/** Which file is which essay, and where its pictures are; to be kept with the files. */
const NOTES = '.mozhan.json';
const ATTEMPTS = 4;
const [WAITING, APPROVED, ON_SHELF, OFF_SHELF] = [1, 2, 3, 4];

const { MOZHAN_URL, MOZHAN_TOKEN } = process.env;
const say = (text) => process.stdout.write(`${text}\n`);

const withoutSlash = (url) => (url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url);

/** What the site refuses, in its own words. */
class Refused extends Error {}

function answerOf(status, body) {
  if (body?.success === true) return body.data;
  const fields = Object.values(body?.data?.fields ?? {}).join('；');
  throw new Refused([body?.errorMessage ?? `HTTP ${status}`, fields].filter(Boolean).join('：'));
}

/** One call. What the site is too busy for, or a broken connection, is tried again. */
async function call(method, path, { query = {}, json, form } = {}) {
  const url = new URL(`api/${path}`, `${withoutSlash(MOZHAN_URL)}/`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${MOZHAN_TOKEN}`,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: json === undefined ? form : JSON.stringify(json),
      });
      if (![429, 502, 503, 504].includes(response.status) || attempt === ATTEMPTS)
        return answerOf(response.status, await response.json().catch(() => null));
      await sleep(Math.min(Number(response.headers.get('retry-after')) || 2 ** attempt, 300) * 1000);
    } catch (error) {
      if (error instanceof Refused || attempt === ATTEMPTS) throw error;
      await sleep(2 ** attempt * 500);
    }
  }
}

/** The front matter and what follows it. */
function readPost(source) {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [, head, content] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(text) ?? [null, '', text];
  try {
    return { meta: parse(head, { maxAliasCount: 10 }) ?? {}, content: content.trimStart() };
  } catch (error) {
    throw new Refused(`文件头不是 YAML：${error.message}`);
  }
}

const isLocal = (address) => !/^([a-z][a-z\d+.-]*:|\/|#)/i.test(address);

/** Uploads a picture, unless the same bytes are there already; answers with its place on the site. */
async function upload(file, notes) {
  const bytes = await readFile(file);
  const key = createHash('sha256').update(bytes).digest('hex');
  if (notes.pictures[key] === undefined) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), basename(file));
    const { path } = await call('POST', 'core/minio/upload', { query: { kind: 'image' }, form });
    notes.pictures[key] = path;
    say(`  上传 ${basename(file)}`);
  }
  return notes.pictures[key];
}

const PICTURE = /(!\[[^[\]\n]*\]\()(<[^<>\n]+>|[^\s()<>]+)/g;

/** Text and code in turn, beginning with text. */
function splitCode(content) {
  const parts = [''];
  let fence = '';
  const add = (text, isCode) => {
    if (parts.length % 2 === (isCode ? 1 : 0)) parts.push('');
    parts[parts.length - 1] += text;
  };
  for (const line of content.split(/(?<=\n)/)) {
    const mark = /^(?:```|~~~)/.exec(line)?.[0] ?? '';
    if (fence === '' && mark === '') {
      for (const [at, part] of line.split(/(`[^`\n]*`)/).entries()) if (part !== '') add(part, at % 2 === 1);
    } else add(line, true);
    if (fence === '') fence = mark;
    else if (line.trim() === fence) fence = '';
  }
  return parts;
}

/** Local pictures become those of the site; what stands in code is no picture. */
async function withPictures(content, folder, notes) {
  const parts = splitCode(content);
  for (let at = 0; at < parts.length; at += 2) {
    const found = [...parts[at].matchAll(PICTURE)]
      .map(([, , address]) => address)
      .filter((address) => isLocal(address.replace(/^<|>$/g, '')));
    const places = new Map();
    for (const address of new Set(found)) {
      const file = resolve(folder, decodeURIComponent(address.replace(/^<|>$/g, '')));
      places.set(address, await upload(file, notes));
    }
    parts[at] = parts[at].replace(
      PICTURE,
      (whole, before, address) => before + (places.get(address) ?? whole.slice(before.length)),
    );
  }
  return parts.join('');
}

async function idOf(path, wanted, query = {}) {
  const answer = await call('GET', path, { query });
  const list = Array.isArray(answer) ? answer : answer.list;
  const found = list.find(({ id, slug, name }) => [id, slug, name].includes(wanted));
  if (found === undefined)
    throw new Refused(`没有「${wanted}」，可以是：${list.map(({ name }) => name).join('、')}`);
  return found.id;
}

/** What the file says; the rest stays as it is on the site. */
async function fieldsOf({ meta, content }, folder, notes) {
  // A download of the site names its pictures with the site's address.
  const own = content.replaceAll(`${withoutSlash(MOZHAN_URL)}/files/`, '/files/');
  const fields = { content: await withPictures(own, folder, notes) };
  for (const name of ['title', 'summary', 'declaration', 'source'])
    if (meta[name] !== undefined) fields[name] = String(meta[name] ?? '').trim();
  for (const name of ['memberFree', 'allowComment', 'previewPercent'])
    if (meta[name] !== undefined) fields[name] = meta[name];
  if (meta.tags !== undefined) fields.tags = [meta.tags ?? []].flat().map(String);
  if (meta.price !== undefined) fields.price = Math.round(Number(meta.price) * 100);
  if (meta.category) fields.categoryId = await idOf('core/sys/category/', meta.category);
  if (meta.column) fields.columnId = await idOf('core/essay/column', meta.column, { pageSize: 100 });
  if (meta.cover)
    fields.cover = isLocal(meta.cover) ? await upload(resolve(folder, meta.cover), notes) : meta.cover;
  return fields;
}

const isSame = (source, fields) =>
  Object.entries(fields).every(([name, value]) => JSON.stringify(source[name]) === JSON.stringify(value));

/** What waits for somebody cannot be written in: it is taken back first. */
async function takeBack({ id, status, revision }) {
  const json =
    status === ON_SHELF && revision === WAITING
      ? { id, status: 0, revision: true }
      : [WAITING, APPROVED, OFF_SHELF].includes(status)
        ? { id, status: 0 }
        : null;
  if (json !== null) await call('PUT', 'core/essay/status', { json });
}

async function update(id, fields, isDraft) {
  const source = await call('GET', `core/essay/${id}/source`);
  const isUnderWay = [WAITING, APPROVED].includes(source.status) || source.revision === WAITING;
  const isOut = source.status === ON_SHELF && source.revision === null;
  if (isSame(source, fields) && (isDraft || isUnderWay || isOut)) return '没有变化';
  await takeBack(source);
  const { version } = await call('GET', `core/essay/${id}/source`);
  await call('PUT', 'core/essay/', { json: { id, version, ...fields, status: isDraft ? 0 : 1 } });
  return isDraft ? '已保存' : '已提交审核';
}

async function create(fields, isDraft) {
  const json = { ...fields, status: isDraft ? 0 : 1 };
  // Sent twice because the first answer was lost, it is one essay all the same.
  const requestId = createHash('sha256').update(JSON.stringify(json)).digest('hex').slice(0, 40);
  const { id } = await call('POST', 'core/essay/', { json: { ...json, requestId } });
  return { id, done: isDraft ? '已建草稿' : '已提交审核' };
}

async function publish(file, notes, isDraft) {
  const name = relative('.', file).replaceAll('\\', '/');
  const parsed = readPost(await readFile(file, 'utf8'));
  const fields = await fieldsOf(parsed, dirname(file), notes);
  const known = parsed.meta.id ?? notes.essays[name];
  const { id, done } =
    known === undefined
      ? await create(fields, isDraft)
      : { id: known, done: await update(known, fields, isDraft) };
  notes.essays[name] = id;
  say(`${name}：${done}  ${withoutSlash(MOZHAN_URL)}/essay/detail/${id}.html`);
}

async function readNotes() {
  const text = await readFile(NOTES, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return { essays: {}, pictures: {}, ...JSON.parse(text) };
}

async function main(args) {
  const isDraft = args.includes('--draft');
  const files = args.filter((arg) => !arg.startsWith('--'));
  if (!MOZHAN_URL || !MOZHAN_TOKEN) throw new Refused('请设置环境变量 MOZHAN_URL 和 MOZHAN_TOKEN');
  if (files.length === 0) throw new Refused('用法：node publish.mjs [--draft] 文章.md …');
  const notes = await readNotes();
  let failed = 0;
  for (const file of files) {
    try {
      await publish(file, notes, isDraft);
    } catch (error) {
      failed += 1;
      process.stderr.write(`${file}：${error instanceof Refused ? error.message : error}\n`);
    } finally {
      await writeFile(NOTES, `${JSON.stringify(notes, null, 2)}\n`);
    }
  }
  return failed;
}

try {
  if ((await main(process.argv.slice(2))) > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Refused ? error.message : error}\n`);
  process.exitCode = 1;
}
