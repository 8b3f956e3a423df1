import { EpubCheck } from '@likecoin/epubcheck-ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAsAdmin } from '../../../testing/admin.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createWriter, essayFields, type TestUser } from '../../../testing/essays.ts';
import { createOrder, rechargeBalance } from '../../../testing/orders.ts';
import { createStaff } from '../../../testing/staff.ts';

let t: TestApp;
let writer: TestUser;
beforeAll(async () => {
  t = await startTestApp({ config: { paySandbox: true } });
  writer = await createWriter(t);
});
afterAll(() => t.close());

const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n`;
const svg = (label: string, colour: string) =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100" viewBox="0 0 300 100">' +
  `<rect width="300" height="100" fill="${colour}"/><text x="10" y="20" fill="#23201d">${label}</text></svg>`;
const drawing = (source: string, label = source) => ({
  source,
  light: svg(label, '#ffffff'),
  dark: svg(label, '#000000'),
});

async function createDraft(fields: Partial<EssayFields>, by = writer): Promise<string> {
  const response = await t.call('POST core/essay/', await essayFields(t, fields), { token: by.token });
  return response.data.id;
}
const submit = (
  id: string,
  drawings?: object[],
  more: object = {},
  token: string | undefined = writer.token,
) =>
  t.call('PUT core/essay/status', { id, status: ESSAY_STATUS.waiting, drawings, ...more } as never, {
    token,
  });
async function publish(id: string, more: object = {}): Promise<void> {
  const steps = 'revision' in more ? [ESSAY_STATUS.onShelf] : [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf];
  for (const status of steps)
    expect(await callAsAdmin(t, 'PUT core/essay/status', { id, status, ...more })).toMatchObject({
      success: true,
    });
}
const read = async (id: string, token?: string) =>
  (await t.call('GET core/essay/{id}', { id }, token === undefined ? {} : { token })).data;
const audited = async (id: string) => (await callAsAdmin(t, 'GET core/sys/essay/audit', { id })).data;
const addressesIn = (html: string): string[] =>
  html.match(/\/drawings\/[0-9a-f]{32}-(?:light|dark)\.svg/g) ?? [];
const load = (url: string) => t.app.server.inject({ method: 'GET', url });
const rowsOf = async (id: string) => {
  const { rows } = await t.app.services.pool.query<{ id: string; version: number; light: string }>(
    'select id, version, light from essay_drawings where essay_id = $1',
    [id],
  );
  return rows;
};

test('the auditor and then readers get the drawing that was submitted', async () => {
  const id = await createDraft({ content: `开头。\n\n${fence('graph LR; 甲-->乙')}` });
  expect(await submit(id, [drawing('graph LR; 甲-->乙', '甲到乙')])).toMatchObject({ success: true });
  const { html } = await audited(id);
  const [light = '', dark = ''] = addressesIn(html);
  expect(html).toContain('<pre><code>graph LR; 甲-->乙</code></pre>');
  expect(html).toContain('alt="图：甲到乙"');

  const response = await load(light);
  expect(response.statusCode).toBe(200);
  expect(response.body).toContain('甲到乙');
  expect(response.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  expect((await load(dark)).body).toContain('#000000');

  await publish(id);
  expect(addressesIn((await read(id)).html)).toEqual([light, dark]);
  const [entry = ''] = (await load('/feed.json'))
    .json()
    .items.map((item: { content_html: string }) => item.content_html);
  expect(entry).toContain('<figure><img class="diagram-light" src="http');
  expect(entry).not.toContain(dark);
  expect(entry).not.toContain('<pre>');
});

test('a drawing of another source is not used', async () => {
  const id = await createDraft({ content: fence('graph LR; 甲') });
  await submit(id, [drawing('graph LR; 乙'), drawing('graph LR; 甲 ')]);
  const { html } = await audited(id);
  expect(addressesIn(html)).toEqual([]);
  expect(html).toContain('<figure class="diagram" data-diagram>');
  expect(await rowsOf(id)).toEqual([]);
});

test('readers of the preview learn nothing of drawings in the locked part', async () => {
  const open = 'graph LR; 公开';
  const locked = 'graph LR; 付费';
  const filler = '一段很长的话，占去大半篇幅。'.repeat(30);
  const content = `${filler}\n\n${fence(open)}\n${filler}\n\n${filler}\n\n${fence(locked)}`;
  const id = await createDraft({ content, price: 500, previewPercent: 60 });
  await submit(id, [drawing(open), drawing(locked)]);
  expect(new Set(addressesIn((await audited(id)).html)).size).toBe(4);
  await publish(id);

  const visitor = await read(id);
  expect(addressesIn(visitor.html)).toHaveLength(2);
  const page = await load(`/essay/detail/${id}.html`);
  const feed = await load('/feed.xml');
  const rows = await rowsOf(id);
  const secret = rows.find(({ light }) => light.includes('付费'))?.id.replaceAll('-', '') ?? '';
  expect(secret).toHaveLength(32);
  for (const text of [JSON.stringify(visitor), page.body, feed.body]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('付费-->');
  }

  const buyer = await t.register();
  await rechargeBalance(t, buyer, 1000);
  await createOrder(t, buyer, { kind: 'read', targetId: id, payBy: 'balance' });
  expect((await read(id, buyer.token)).html).toContain(secret);
  expect((await load(`/drawings/${secret}-light.svg`)).body).toContain('付费');
});

test('a change of the price keeps the audited drawings', async () => {
  const id = await createDraft({ content: fence('graph LR; 价') });
  await submit(id, [drawing('graph LR; 价')]);
  await publish(id);
  const before = addressesIn((await read(id)).html);
  const staff = (await createStaff(t, ['essay:list', 'essay:bulk'])).token;
  for (const price of [300, 0])
    expect(
      (await t.call('PUT core/sys/essay/bulk', { ids: [id], price }, { token: staff })).data,
    ).toMatchObject([{ error: null }]);
  expect(before).toHaveLength(2);
  expect(addressesIn((await read(id)).html)).toEqual(before);
  expect(await rowsOf(id)).toHaveLength(1);
});

test('a revision does not change the public drawing before its audit, and replaces it afterwards', async () => {
  const source = 'graph LR; 修订';
  const id = await createDraft({ content: fence(source) });
  await submit(id, [drawing(source, '旧图')]);
  await publish(id);
  const [oldAddress = ''] = addressesIn((await read(id)).html);
  const saved = await t.call(
    'PUT core/essay/',
    { id, version: 1, content: `${fence(source)}\n又一段。` },
    { token: writer.token },
  );
  expect(saved.success).toBe(true);
  expect(await submit(id, [drawing(source, '新图')], { revision: true })).toMatchObject({ success: true });
  expect((await read(id)).html).toContain(oldAddress);
  expect((await load(oldAddress)).body).toContain('旧图');
  await publish(id, { revision: true });
  const [newAddress = ''] = addressesIn((await read(id)).html);
  expect((await load(newAddress)).body).toContain('新图');
  expect((await load(oldAddress)).statusCode).toBe(404);
});

test('an essay that returns to the audit unchanged keeps the drawings that buyers see', async () => {
  const source = 'graph LR; 回炉';
  const id = await createDraft({ content: fence(source) });
  await submit(id, [drawing(source, '审过的图')]);
  await publish(id);
  await t.call('PUT core/essay/status', { id, status: ESSAY_STATUS.offShelf }, { token: writer.token });
  const again = await submit(id, [drawing(source, '换过的图')]);
  const rows = await rowsOf(id);
  expect(
    rows.map(({ light }) => light.includes('审过的图')),
    again.errorMessage,
  ).toEqual([true]);
});

test('a withdrawn essay that is submitted again without drawings keeps its own', async () => {
  const source = 'graph LR; 撤回';
  const id = await createDraft({ content: fence(source) });
  await submit(id, [drawing(source)]);
  const before = addressesIn((await audited(id)).html);
  await t.call('PUT core/essay/status', { id, status: ESSAY_STATUS.draft }, { token: writer.token });
  await submit(id);
  expect(before).toHaveLength(2);
  expect(addressesIn((await audited(id)).html)).toEqual(before);
  await t.call('PUT core/essay/status', { id, status: ESSAY_STATUS.draft }, { token: writer.token });
  await submit(id, []);
  expect(await rowsOf(id)).toEqual([]);
});

test('a book contains the light drawing instead of the source, and the source where there is no drawing', async () => {
  const id = await createDraft({ content: `${fence('flowchart A-->B')}\n${fence('flowchart C-->D')}` });
  await submit(id, [drawing('flowchart A-->B', '甲到乙')]);
  await publish(id);
  const link = await t.call('POST core/essay/download', { essayId: id, format: 'epub' });
  const files = unzipSync((await load(link.data.url)).rawPayload);
  const fileOf = (path: string) => new TextDecoder().decode(files[path]);
  const text = fileOf('EPUB/text.xhtml');
  expect(text).toContain('<img src="images/drawing-1.svg" alt="图：甲到乙" width="300" height="100"/>');
  expect(text.match(/<img/g)).toHaveLength(1);
  expect(text).not.toContain('A-->B');
  expect(text).toContain('C-->D');
  expect(fileOf('EPUB/images/drawing-1.svg')).toContain('fill="#ffffff"');
  expect(fileOf('EPUB/package.opf')).toContain('href="images/drawing-1.svg" media-type="image/svg+xml"');
  const { messages } = await EpubCheck.validate(Buffer.from((await load(link.data.url)).rawPayload));
  expect(messages.filter(({ severity }) => ['fatal', 'error', 'warning'].includes(severity))).toEqual([]);
});

test('hostile drawings are refused and change nothing', async () => {
  const source = 'graph LR; 坏图';
  const id = await createDraft({ content: fence(source) });
  const refused = await submit(id, [
    { ...drawing(source), dark: svg('坏图', '#000000').replace('<text', '<script/><text') },
  ]);
  expect(refused).toMatchObject({
    success: false,
    errorCode: 'INVALID',
    data: { fields: { drawings: '图表的图形不合要求，没有保存' } },
  });
  const { data } = await t.call('GET core/essay/{id}/source', { id }, { token: writer.token });
  expect(data.status).toBe(ESSAY_STATUS.draft);
  expect(await rowsOf(id)).toEqual([]);
  const many = await submit(id, Array(41).fill(drawing(source)));
  expect(many).toMatchObject({ success: false, data: { fields: { drawings: '最多 40 张图' } } });
});

test('words of drawings are screened', async () => {
  const admin = await t.signInAdmin();
  for (const level of ['refuse', 'mask', 'hold'] as const)
    await t.call('POST core/sys/word/', { word: `图里的${level}`, level } as never, { token: admin });
  const source = 'graph LR; 词';
  const id = await createDraft({ content: fence(source) });
  for (const level of ['refuse', 'mask'])
    expect(await submit(id, [drawing(source, `图里的${level}`)])).toMatchObject({
      errorCode: 'WORDS_REFUSED',
    });
  expect(await submit(id, [drawing(source, '图里的hold')])).toMatchObject({ success: true });
  expect((await audited(id)).words).toEqual(['图里的hold']);
});

test('only who may submit the essay can send drawings, and the operation log does not contain them', async () => {
  const source = 'graph LR; 代';
  const id = await createDraft({ content: fence(source) });
  expect(await submit(id, [drawing(source)], {}, '')).toMatchObject({ errorCode: 'SIGN_IN_REQUIRED' });
  const stranger = await createWriter(t);
  expect(await submit(id, [drawing(source)], {}, stranger.token)).toMatchObject({ success: false });
  const staff = (await createStaff(t, ['essay:list', 'essay:edit'])).token;
  expect(await submit(id, [drawing(source, '编辑画的')], {}, staff)).toMatchObject({ success: true });
  const { rows } = await t.app.services.pool.query<{ entry: string }>(
    `select row_to_json(operations)::text as entry from operations where call = 'PUT core/essay/status' and target = $1`,
    [`essay:${id}`],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.entry).not.toContain('svg');
});

test('drawings of a deleted essay are gone, and other names are not found', async () => {
  const source = 'graph LR; 删';
  const id = await createDraft({ content: fence(source) });
  await submit(id, [drawing(source)]);
  await publish(id);
  const [address = ''] = addressesIn((await read(id)).html);
  await t.call('DELETE core/essay/{id}', { id }, { token: writer.token });
  expect((await load(address)).statusCode).toBe(404);
  for (const name of ['x', `${'0'.repeat(32)}-light.svg`, `${'0'.repeat(32)}.svg`, "'-light.svg"])
    expect((await load(`/drawings/${name}`)).statusCode).toBe(404);
});
