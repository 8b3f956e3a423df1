import { FLAG } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/redirects.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { exportCsv, importCsv } from './actions/csv.ts';
import * as actions from './actions/redirects.ts';
import { listMissingPaths } from './queries/missing-paths.ts';
import { listRedirects } from './queries/redirects.ts';
import { toMissingPath, toRedirect } from './views.ts';

export const routes = [
  bindPage(calls.listRedirects, toRedirect, (ctx, query) => listRedirects(ctx.db, query)),
  bind(calls.createRedirect, async (ctx, input) => toRedirect(await actions.createRedirect(ctx, input))),
  bind(calls.updateRedirect, async (ctx, input) => toRedirect(await actions.updateRedirect(ctx, input))),
  bindDone(calls.removeRedirects, (ctx, { id, ids }) =>
    actions.removeRedirects(ctx, ids ?? (id === undefined ? [] : [id])),
  ),
  bind(calls.importRedirects, (ctx, { overwrite }) =>
    importCsv(ctx, { isOverwriting: overwrite === FLAG.on }),
  ),
  bind(calls.exportRedirects, (ctx, { after }) => exportCsv(ctx, after ?? null)),
  bindPage(calls.listMissingPaths, toMissingPath, (ctx, query) => listMissingPaths(ctx.db, query)),
  bindDone(calls.removeMissingPaths, actions.removeMissingPaths),
];
