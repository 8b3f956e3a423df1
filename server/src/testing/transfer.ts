import type { Transfer, TransferItem } from '@mozhan/contract/transfer.ts';
import { unzipSync } from 'fflate';
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
    const hasEnded = run !== undefined && !['waiting', 'running', 'undoing'].includes(run.status);
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
