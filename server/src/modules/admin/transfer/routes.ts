import { getOwnData } from '@mozhan/contract/account-closing.ts';
import * as calls from '@mozhan/contract/transfer.ts';
import { bind, bindDone, bindOnce, bindPage } from '../../../http/route.ts';
import { signedIn } from '../../../viewer.ts';
import { getCurrentUser } from '../../accounts/users/index.ts';
import { createLink, showOwn } from './actions/fetch.ts';
import * as order from './actions/order.ts';
import { createOwnDataLink } from './actions/own-data.ts';
import * as queries from './queries/runs.ts';
import { toItem, toOwnExport, toTransfer } from './views.ts';

export const routes = [
  bindPage(calls.listTransfers, toTransfer, (ctx, query) => queries.listTransfers(ctx.db, query)),
  bindPage(calls.listTransferItems, toItem, async (ctx, query) => {
    await queries.getTransfer(ctx.db, query.id);
    return queries.listItems(ctx.db, query);
  }),
  bind(calls.createExport, async (ctx, input) =>
    toTransfer(await order.orderExport(ctx, signedIn(ctx), input), ctx.now),
  ),
  bindOnce(calls.createImport, (ctx, input, requestId) =>
    order.orderImport(ctx, signedIn(ctx), input, requestId),
  ),
  bind(calls.getTransferFile, (ctx, { id }) => createLink(ctx, signedIn(ctx), id)),
  bind(calls.cancelTransfer, async (ctx, { id }) => toTransfer(await order.cancel(ctx, id), ctx.now)),
  bind(calls.undoTransfer, async (ctx, { id }) => toTransfer(await order.undo(ctx, id), ctx.now)),
  bindDone(calls.removeTransfer, (ctx, { id }) => order.remove(ctx, id)),
  bind(calls.createOwnExport, async (ctx) => toOwnExport(await order.orderOwn(ctx, signedIn(ctx)), null)),
  bind(getOwnData, async (ctx) => {
    const viewer = signedIn(ctx);
    return { user: await getCurrentUser(ctx, viewer.id), file: createOwnDataLink(ctx, viewer) };
  }),
  bind(calls.getOwnExport, async (ctx) => ({ export: await showOwn(ctx, signedIn(ctx)) })),
];
