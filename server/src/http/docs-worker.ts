import { parentPort, workerData } from 'node:worker_threads';
import { calls } from '@mozhan/contract/calls.ts';
import { type Call, nameOf } from '@mozhan/contract/define.ts';
import type { Documents, DocumentsOptions } from './docs.ts';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';

const VERSION = '1';

const { names, title, server, stylesheet }: DocumentsOptions = workerData;
const byName = new Map(calls.map((call: Call) => [nameOf(call), call]));
const bound = names.map((name) => {
  const call = byName.get(name);
  if (call === undefined) throw new Error(`not in the contract: ${name}`);
  return call;
});
const contract = openApi(bound, title, VERSION, server);
const documents: Documents = {
  json: Buffer.from(JSON.stringify(contract)),
  html: Buffer.from(docsPage(contract, stylesheet)),
};
parentPort?.postMessage(documents);
