import * as columnCalls from '#contract/columns.ts';
import * as calls from '#contract/essays.ts';
import { bind, bindPrepared, DONE } from '../../http/route.ts';
import { signedIn } from '../../http/viewer.ts';
import { listRecords, readForAudit } from './actions/audit.ts';
import * as columns from './actions/columns.ts';
import { preview } from './actions/hand-in.ts';
import * as lists from './actions/lists.ts';
import { readEssay, readSource } from './actions/read.ts';
import { listRevisions, readRevision } from './actions/revisions.ts';
import { prepareEssay, prepareUpdate, restoreRevision } from './actions/save.ts';
import { appeal, prepareStatus, removeEssay } from './actions/status.ts';
import { listColumns } from './queries/columns.ts';
import { atBase, toColumn } from './views.ts';

const essayRoutes = [
  bind(calls.listEssays, lists.listEssays),
  bind(calls.getEssay, (ctx, { id }) => readEssay(ctx, id)),
  bind(calls.getEssaySource, (ctx, { id }) => readSource(ctx, signedIn(ctx), id)),
  bindPrepared(calls.createEssay, (ctx, input) => prepareEssay(ctx, signedIn(ctx), input)),
  bindPrepared(calls.updateEssay, (ctx, input) => prepareUpdate(ctx, signedIn(ctx), input)),
  bind(calls.removeEssay, async (ctx, { id, reason }) => {
    await removeEssay(ctx, signedIn(ctx), id, reason);
    return DONE;
  }),
  bindPrepared(calls.changeEssayStatus, async (ctx, input) => {
    const change = await prepareStatus(ctx, signedIn(ctx), input);
    return async (ctx) => {
      const { id, status, revisionStatus, version } = await change(ctx);
      return { id, status, revision: revisionStatus, version };
    };
  }),
  bind(calls.appealEssay, async (ctx, { id, text }) => {
    await appeal(ctx, signedIn(ctx), id, text);
    return DONE;
  }),
  bind(calls.listRevisions, (ctx, { revision, ...query }) =>
    revision === undefined
      ? listRevisions(ctx, signedIn(ctx), query)
      : readRevision(ctx, signedIn(ctx), query.id, revision),
  ),
  bind(calls.restoreRevision, (ctx, { id, revision }) => restoreRevision(ctx, signedIn(ctx), id, revision)),
  bind(calls.previewEssay, async (ctx, { content }) => {
    const { html, toc, wordCount, readMinutes } = await preview(ctx, content);
    return { html: atBase(html, ctx.services.config.basePath), toc, wordCount, readMinutes };
  }),
  bind(calls.listRelated, (ctx, { id }) => lists.listRelated(ctx, id)),
  bind(calls.listTags, (ctx, { keyword, limit }) => lists.listTags(ctx, keyword, limit)),
  bind(calls.suggestKeywords, (ctx, { keyword }) => lists.suggestKeywords(ctx, keyword)),
  bind(calls.listHistory, (ctx, query) => lists.listHistory(ctx, signedIn(ctx).id, query)),
  bind(calls.listReadEssays, (ctx, { userId, ...query }) =>
    lists.listReadBy(ctx, userId ?? signedIn(ctx).id, query),
  ),
  bind(calls.listStaffEssays, lists.listForStaff),
  bind(calls.listAuditQueue, lists.listQueue),
  bind(calls.getAuditEssay, (ctx, { id }) => readForAudit(ctx, id)),
  bind(calls.listEssayRecords, (ctx, { id }) => listRecords(ctx, id)),
];

const columnRoutes = [
  bind(columnCalls.listColumns, async (ctx, query) => {
    if (query.id !== undefined) return toColumn(await columns.getColumn(ctx, query.id), ctx.now);
    const page = await columns.listColumns(ctx, query);
    return { ...page, list: page.list.map((row) => toColumn(row, ctx.now)) };
  }),
  bind(columnCalls.createColumn, async (ctx, input) =>
    toColumn(await columns.createColumn(ctx, signedIn(ctx), input), ctx.now),
  ),
  bind(columnCalls.updateColumn, async (ctx, input) =>
    toColumn(await columns.updateColumn(ctx, signedIn(ctx), input), ctx.now),
  ),
  bind(columnCalls.removeColumn, async (ctx, { id }) => {
    await columns.removeColumn(ctx, signedIn(ctx), id);
    return DONE;
  }),
  bind(columnCalls.listStaffColumns, async (ctx, query) => {
    const page = await listColumns(ctx.db, query);
    return { ...page, list: page.list.map((row) => toColumn(row, ctx.now)) };
  }),
  bind(columnCalls.updateStaffColumn, async (ctx, input) =>
    toColumn(await columns.updateAnyColumn(ctx, input), ctx.now),
  ),
  bind(columnCalls.removeStaffColumn, async (ctx, { id }) => {
    await columns.removeAnyColumn(ctx, id);
    return DONE;
  }),
];

export const routes = [...essayRoutes, ...columnRoutes];
