import * as audit from '@mozhan/contract/audit.ts';
import * as columnCalls from '@mozhan/contract/columns.ts';
import { ESSAY_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/essays.ts';
import * as tagCalls from '@mozhan/contract/tags.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { bind, bindPrepared, DONE } from '../../../../http/route.ts';
import { requireScope } from '../../../../http/scope.ts';
import { signedIn } from '../../../../viewer.ts';
import { listRecords, readForAudit } from '../actions/audit.ts';
import * as columns from '../actions/columns.ts';
import { fileEssay } from '../actions/file.ts';
import { preview } from '../actions/hand-in.ts';
import * as lists from '../actions/lists.ts';
import { readEssay, readSource } from '../actions/read.ts';
import { listRevisions, readRevision } from '../actions/revisions.ts';
import { prepareEssay, prepareUpdate, restoreRevision } from '../actions/save.ts';
import { appeal, prepareStatus, removeEssay } from '../actions/status.ts';
import { mergeTags, removeTag } from '../actions/tags.ts';
import { listAllColumns } from '../queries/columns.ts';
import { listStaffTags } from '../queries/tags.ts';
import { atBase, toColumn, toStaffTag } from '../views/essays.ts';

/** Who writes; to hand it in at once takes the scope of handing in, too. */
function writing(ctx: Ctx, status: calls.EssayStatus | undefined): Viewer {
  const viewer = signedIn(ctx);
  if (status === ESSAY_STATUS.waiting) requireScope(viewer, 'essay:submit');
  return viewer;
}

const essayRoutes = [
  bind(calls.listEssays, lists.listEssays),
  bind(calls.getEssay, (ctx, { id }) => readEssay(ctx, id)),
  bind(calls.getEssaySource, (ctx, { id }) => readSource(ctx, signedIn(ctx), id)),
  bindPrepared(calls.createEssay, (ctx, input) => prepareEssay(ctx, writing(ctx, input.status), input)),
  bindPrepared(calls.updateEssay, (ctx, input) => prepareUpdate(ctx, writing(ctx, input.status), input)),
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
    return { html: atBase(html, ctx.services.config), toc, wordCount, readMinutes };
  }),
  bind(calls.listRelated, (ctx, { id }) => lists.listRelated(ctx, id)),
  bind(calls.listTags, (ctx, { keyword, limit }) => lists.listTags(ctx, keyword, limit)),
  bind(calls.suggestKeywords, (ctx, { keyword }) => lists.suggestKeywords(ctx, keyword)),
  bind(calls.listHistory, (ctx, query) => lists.listHistory(ctx, signedIn(ctx).id, query)),
  bind(calls.listReadEssays, (ctx, { userId, ...query }) =>
    lists.listReadBy(ctx, userId ?? signedIn(ctx).id, query),
  ),
  bind(calls.listStaffEssays, lists.listForStaff),
  bind(calls.fileEssay, fileEssay),
  bind(audit.listAuditQueue, lists.listQueue),
  bind(audit.getAuditEssay, (ctx, { id }) => readForAudit(ctx, id)),
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
    const page = await listAllColumns(ctx.db, query);
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

const tagRoutes = [
  bind(tagCalls.listStaffTags, async (ctx, { sort, order, ...query }) => {
    const byName = sort === 'name';
    const isDescending = order === undefined ? !byName : order === SORT_ORDER.descending;
    const page = await listStaffTags(ctx.db, { ...query, byName, isDescending });
    return { ...page, list: page.list.map(toStaffTag) };
  }),
  bind(tagCalls.renameTag, async (ctx, { name, to }) => {
    await mergeTags(ctx, [name], to);
    return DONE;
  }),
  bind(tagCalls.mergeTags, async (ctx, { from, to }) => {
    await mergeTags(ctx, from, to);
    return DONE;
  }),
  bind(tagCalls.removeTag, async (ctx, { name }) => {
    await removeTag(ctx, name);
    return DONE;
  }),
];

export const routes = [...essayRoutes, ...columnRoutes, ...tagRoutes];
