import { parentPort, workerData } from 'node:worker_threads';
import { calls } from '@mozhan/contract/calls.ts';
import { type Call, routeNameOf } from '@mozhan/contract/define.ts';
import type { ApiDocuments, ApiDocumentsOptions } from './docs.ts';
import { renderDocsPage } from './docs-page.ts';
import { createOpenApiDocument } from './openapi.ts';

const VERSION = '1';

const { names, title, server, stylesheet }: ApiDocumentsOptions = workerData;
const byName = new Map(calls.map((call: Call) => [routeNameOf(call), call]));
const bound = names.map((name) => {
  const call = byName.get(name);
  if (call === undefined) throw new Error(`the contract has no call ${name}`);
  return call;
});
const contract = createOpenApiDocument(bound, title, VERSION, server);
const documents: ApiDocuments = {
  json: Buffer.from(JSON.stringify(contract)),
  html: Buffer.from(renderDocsPage(contract, stylesheet)),
};
parentPort?.postMessage(documents);
