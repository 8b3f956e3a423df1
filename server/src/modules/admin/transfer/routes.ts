import { getOwnData } from '@mozhan/contract/account-closing.ts';
import * as checkCalls from '@mozhan/contract/import-checks.ts';
import * as calls from '@mozhan/contract/transfer.ts';
import { bind, bindDone, bindOnce, bindPage } from '../../../http/route.ts';
import { requireSignedIn } from '../../../viewer.ts';
import { getCurrentUser } from '../../accounts/users/index.ts';
import { createFileLink, getOwnExport } from './actions/download.ts';
import { createOwnDataLink } from './actions/own-data.ts';
import { retryPictures } from './actions/remote-pictures.ts';
import * as requests from './actions/requests.ts';
import { getImportCheck, startImport } from './actions/start-import.ts';
import { listPictures } from './queries/pictures.ts';
import * as queries from './queries/runs.ts';
import { toItem, toOwnExport, toRemotePicture, toTransfer } from './views.ts';

export const routes = [
  bindPage(calls.listTransfers, toTransfer, (ctx, query) => queries.listTransfers(ctx.db, query)),
  bindPage(calls.listTransferItems, toItem, async (ctx, query) => {
    await queries.getTransfer(ctx.db, query.id);
    return queries.listItems(ctx.db, query);
  }),
  bindPage(calls.listRemotePictures, toRemotePicture, async (ctx, query) => {
    await queries.getTransfer(ctx.db, query.id);
    return listPictures(ctx.db, query);
  }),
  bind(calls.retryRemotePictures, async (ctx, input) => toTransfer(await retryPictures(ctx, input), ctx.now)),
  bind(calls.createExport, async (ctx, input) =>
    toTransfer(await requests.requestExport(ctx, requireSignedIn(ctx), input), ctx.now),
  ),
  bindOnce(calls.createImport, (ctx, input, requestId) =>
    requests.requestImport(ctx, requireSignedIn(ctx), input, requestId),
  ),
  bind(checkCalls.getImportCheck, (ctx, { id }) => getImportCheck(ctx, id)),
  bind(checkCalls.startImport, async (ctx, input) => toTransfer(await startImport(ctx, input), ctx.now)),
  bind(calls.getTransferFile, (ctx, { id }) => createFileLink(ctx, requireSignedIn(ctx), id)),
  bind(calls.cancelTransfer, async (ctx, { id }) =>
    toTransfer(await requests.cancelTransfer(ctx, id), ctx.now),
  ),
  bind(calls.undoTransfer, async (ctx, { id }) => toTransfer(await requests.requestUndo(ctx, id), ctx.now)),
  bindDone(calls.removeTransfer, (ctx, { id }) => requests.removeTransfer(ctx, id)),
  bind(calls.createOwnExport, async (ctx) =>
    toOwnExport(await requests.requestOwnExport(ctx, requireSignedIn(ctx)), null),
  ),
  bind(getOwnData, async (ctx) => {
    const viewer = requireSignedIn(ctx);
    return { user: await getCurrentUser(ctx, viewer.id), file: createOwnDataLink(ctx, viewer) };
  }),
  bind(calls.getOwnExport, async (ctx) => ({ export: await getOwnExport(ctx, requireSignedIn(ctx)) })),
];
