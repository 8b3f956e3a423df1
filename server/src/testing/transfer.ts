import type { ImportCheck } from '@mozhan/contract/import-checks.ts';
import type { Transfer, TransferItem } from '@mozhan/contract/transfer.ts';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { type TestFile, uploadFile } from './uploads.ts';

const WAIT_MS = 100;

export async function waitForTransfer(
  t: TestApp,
  token: string,
  id: string,
  isDone = (_run: Transfer) => true,
): Promise<Transfer> {
  for (;;) {
    const { data } = await t.call('GET core/sys/transfer/', { id }, { token });
    const [run] = data.list;
    const hasEnded = run !== undefined && !['checking', 'waiting', 'running', 'undoing'].includes(run.status);
    if (hasEnded && isDone(run)) return run;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

export async function importFile(t: TestApp, token: string, file: TestFile, query = ''): Promise<Transfer> {
  const body = await uploadFile(t, `core/sys/transfer/import${query}`, file, token);
  expect(body).toMatchObject({ success: true });
  // The file is removed after the run has ended.
  return waitForTransfer(t, token, body.data.id, (run) => run.fileBytes === null);
}

export async function exportSite(
  t: TestApp,
  token: string,
  more: object = { scope: 'site' },
): Promise<Buffer> {
  const created = await t.call('POST core/sys/transfer/export', more, { token });
  expect(created.errorMessage).toBeUndefined();
  const run = await waitForTransfer(t, token, created.data.id);
  expect(run).toMatchObject({ status: 'done', message: '' });
  const { data } = await t.call('GET core/sys/transfer/file', { id: run.id }, { token });
  const response = await t.app.server.inject({ method: 'GET', url: data.url });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('application/zip');
  return response.rawPayload;
}

export const unzipFiles = (zip: Uint8Array): Record<string, Buffer> =>
  Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, content]) => [name, Buffer.from(content)]));

export async function listItems(t: TestApp, token: string, id: string): Promise<TransferItem[]> {
  const { data } = await t.call('GET core/sys/transfer/item', { id, pageSize: 100 }, { token });
  return data.list;
}

/** Uploads a file that is only checked. */
export async function checkFile(t: TestApp, token: string, file: TestFile): Promise<Transfer> {
  const body = await uploadFile(t, 'core/sys/transfer/import?check=1', file, token);
  expect(body).toMatchObject({ success: true });
  return waitForTransfer(t, token, body.data.id);
}

export const getCheck = async (t: TestApp, token: string, id: string): Promise<ImportCheck> =>
  (await t.call('GET core/sys/transfer/check', { id }, { token })).data;

export const startImport = (t: TestApp, token: string, id: string, mapping: object = {}) =>
  t.call('POST core/sys/transfer/start', { id, ...mapping }, { token });

/** Starts a checked import and waits for its end. */
export async function runChecked(t: TestApp, token: string, id: string, mapping: object = {}) {
  expect(await startImport(t, token, id, mapping)).toMatchObject({ data: { status: 'waiting' } });
  return waitForTransfer(t, token, id, ({ fileBytes }) => fileBytes === null);
}

export const toPost = (head: string, text = '正文。') =>
  strToU8(`---\ndate: 2020-01-02 03:04:05\n${head}\n---\n\n${text}`);

export const toHexo = (host: string, files: Record<string, Uint8Array>) =>
  zipSync({ '_config.yml': strToU8(`title: 旧博客\nurl: https://${host}\n`), ...files });

interface ImportedRow {
  id: string;
  title: string;
  tags: string[];
  status: number;
  category: string;
  author: string;
  content: string;
  price: number;
  memberFree: boolean;
  previewPercent: number;
}

/** The essays that an import created, by title. */
export async function listImported(t: TestApp, runId: string): Promise<ImportedRow[]> {
  const { rows } = await t.app.services.pool.query<ImportedRow>(
    `select replace(essays.id::text, '-', '') as id, essays.title, essays.tags, essays.status,
       categories.name as category, users.display_name as author, content, essays.price,
       essays.member_free as "memberFree", (fields->>'previewPercent')::int as "previewPercent"
     from transfer_items join essays on essays.id = target_id join users on users.id = author_id
     join essay_revisions on essay_id = essays.id left join categories on categories.id = essays.category_id
     where transfer_id = $1 and kind = 'essay' and outcome = 'created' order by essays.title`,
    [runId],
  );
  return rows;
}
