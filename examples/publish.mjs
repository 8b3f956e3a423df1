#!/usr/bin/env node
/**
 * Publishes Markdown files to a Mozhan site: uploads their pictures, creates or updates the essay, and submits it.
 *
 *   MOZHAN_URL=https://site MOZHAN_TOKEN=mzt_… node publish.mjs [--draft] post.md …
 *
 * Needs Node 22 or newer and the package `yaml`. See docs/publish-from-the-command-line.md.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';

/** Maps files to essay ids and picture hashes to paths on the site; store it with the files. */
const STATE_FILE = '.mozhan.json';
const MAX_ATTEMPTS = 4;
const [WAITING, APPROVED, ON_SHELF, OFF_SHELF] = [1, 2, 3, 4];

const { MOZHAN_URL, MOZHAN_TOKEN } = process.env;
const print = (text) => process.stdout.write(`${text}\n`);

const trimEndSlash = (url) => (url.endsWith('/') ? trimEndSlash(url.slice(0, -1)) : url);

/** An error whose message is printed without a stack trace, such as that of a refused call. */
class PublishError extends Error {}

function readResponse(status, body) {
  if (body?.success === true) return body.data;
  const fields = Object.values(body?.data?.fields ?? {}).join('；');
  throw new PublishError([body?.errorMessage ?? `HTTP ${status}`, fields].filter(Boolean).join('：'));
}

/** Makes a call; repeats it if the site is busy or the connection breaks. */
async function call(method, path, { query = {}, json, form } = {}) {
  const url = new URL(`api/${path}`, `${trimEndSlash(MOZHAN_URL)}/`);
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
      if (![429, 502, 503, 504].includes(response.status) || attempt === MAX_ATTEMPTS)
        return readResponse(response.status, await response.json().catch(() => null));
      await sleep(Math.min(Number(response.headers.get('retry-after')) || 2 ** attempt, 300) * 1000);
    } catch (error) {
      if (error instanceof PublishError || attempt === MAX_ATTEMPTS) throw error;
      await sleep(2 ** attempt * 500);
    }
  }
}

/** Splits a file into front matter and content. */
function readPost(source) {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const [, head, content] = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(text) ?? [null, '', text];
  try {
    return { meta: parse(head, { maxAliasCount: 10 }) ?? {}, content: content.trimStart() };
  } catch (error) {
    throw new PublishError(`文件头不是 YAML：${error.message}`);
  }
}

const isLocal = (address) => !/^([a-z][a-z\d+.-]*:|\/|#)/i.test(address);

/** Uploads a picture unless the same bytes were uploaded before; returns its path on the site. */
async function upload(file, state) {
  const bytes = await readFile(file);
  const key = createHash('sha256').update(bytes).digest('hex');
  if (state.pictures[key] === undefined) {
    const form = new FormData();
    form.set('file', new Blob([bytes]), basename(file));
    const { path } = await call('POST', 'core/minio/upload', { query: { kind: 'image' }, form });
    state.pictures[key] = path;
    print(`  上传 ${basename(file)}`);
  }
  return state.pictures[key];
}

const PICTURE = /(!\[[^[\]\n]*\]\()(<[^<>\n]+>|[^\s()<>]+)/g;

/** Returns alternating parts of text and code, starting with text. */
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

/** Uploads local pictures and replaces their paths, except inside code. */
async function replaceLocalPictures(content, folder, state) {
  const parts = splitCode(content);
  for (let at = 0; at < parts.length; at += 2) {
    const localAddresses = [...parts[at].matchAll(PICTURE)]
      .map(([, , address]) => address)
      .filter((address) => isLocal(address.replace(/^<|>$/g, '')));
    const uploadedPaths = new Map();
    for (const address of new Set(localAddresses)) {
      const file = resolve(folder, decodeURIComponent(address.replace(/^<|>$/g, '')));
      uploadedPaths.set(address, await upload(file, state));
    }
    parts[at] = parts[at].replace(
      PICTURE,
      (match, before, address) => before + (uploadedPaths.get(address) ?? match.slice(before.length)),
    );
  }
  return parts.join('');
}

async function findId(path, nameOrId, query = {}) {
  const data = await call('GET', path, { query });
  const list = Array.isArray(data) ? data : data.list;
  const found = list.find(({ id, slug, name }) => [id, slug, name].includes(nameOrId));
  if (found === undefined)
    throw new PublishError(`没有「${nameOrId}」，可以是：${list.map(({ name }) => name).join('、')}`);
  return found.id;
}

/** Returns the fields that the file sets; others keep their value on the site. */
async function toFields({ meta, content }, folder, state) {
  // In a download from the site, picture URLs contain the site's address.
  const relativeContent = content.replaceAll(`${trimEndSlash(MOZHAN_URL)}/files/`, '/files/');
  const fields = { content: await replaceLocalPictures(relativeContent, folder, state) };
  for (const name of ['title', 'summary', 'declaration', 'source'])
    if (meta[name] !== undefined) fields[name] = String(meta[name] ?? '').trim();
  for (const name of ['memberFree', 'allowComment', 'previewPercent'])
    if (meta[name] !== undefined) fields[name] = meta[name];
  if (meta.tags !== undefined) fields.tags = [meta.tags ?? []].flat().map(String);
  if (meta.price !== undefined) fields.price = Math.round(Number(meta.price) * 100);
  if (meta.category) fields.categoryId = await findId('core/sys/category/', meta.category);
  if (meta.column) fields.columnId = await findId('core/essay/column', meta.column, { pageSize: 100 });
  for (const name of ['cover', 'shareCover'])
    if (meta[name])
      fields[name] = isLocal(meta[name]) ? await upload(resolve(folder, meta[name]), state) : meta[name];
  return fields;
}

const isUnchanged = (source, fields) =>
  Object.entries(fields).every(([name, value]) => JSON.stringify(source[name]) === JSON.stringify(value));

/** Makes an essay editable, for example by withdrawing it from its audit. */
async function makeEditable({ id, status, revision }) {
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
  const isInAudit = [WAITING, APPROVED].includes(source.status) || source.revision === WAITING;
  const isPublished = source.status === ON_SHELF && source.revision === null;
  if (isUnchanged(source, fields) && (isDraft || isInAudit || isPublished)) return '没有变化';
  await makeEditable(source);
  const { version } = await call('GET', `core/essay/${id}/source`);
  await call('PUT', 'core/essay/', { json: { id, version, ...fields, status: isDraft ? 0 : 1 } });
  return isDraft ? '已保存' : '已提交审核';
}

async function create(fields, isDraft) {
  const json = { ...fields, status: isDraft ? 0 : 1 };
  // A repeated request after a lost response does not create a second essay.
  const requestId = createHash('sha256').update(JSON.stringify(json)).digest('hex').slice(0, 40);
  const { id } = await call('POST', 'core/essay/', { json: { ...json, requestId } });
  return { id, result: isDraft ? '已建草稿' : '已提交审核' };
}

async function publish(file, state, isDraft) {
  const name = relative('.', file).replaceAll('\\', '/');
  const parsed = readPost(await readFile(file, 'utf8'));
  const fields = await toFields(parsed, dirname(file), state);
  const knownId = parsed.meta.id ?? state.essays[name];
  const { id, result } =
    knownId === undefined
      ? await create(fields, isDraft)
      : { id: knownId, result: await update(knownId, fields, isDraft) };
  state.essays[name] = id;
  print(`${name}：${result}  ${trimEndSlash(MOZHAN_URL)}/essay/detail/${id}.html`);
}

async function readState() {
  const text = await readFile(STATE_FILE, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return { essays: {}, pictures: {}, ...JSON.parse(text) };
}

async function main(args) {
  const isDraft = args.includes('--draft');
  const files = args.filter((arg) => !arg.startsWith('--'));
  if (!MOZHAN_URL || !MOZHAN_TOKEN) throw new PublishError('请设置环境变量 MOZHAN_URL 和 MOZHAN_TOKEN');
  if (files.length === 0) throw new PublishError('用法：node publish.mjs [--draft] 文章.md …');
  const state = await readState();
  let failed = 0;
  for (const file of files) {
    try {
      await publish(file, state, isDraft);
    } catch (error) {
      failed += 1;
      process.stderr.write(`${file}：${error instanceof PublishError ? error.message : error}\n`);
    } finally {
      await writeFile(STATE_FILE, `${JSON.stringify(state, null, 2)}\n`);
    }
  }
  return failed;
}

try {
  if ((await main(process.argv.slice(2))) > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof PublishError ? error.message : error}\n`);
  process.exitCode = 1;
}
