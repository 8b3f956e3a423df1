import * as audit from '@mozhan/contract/audit.ts';
import * as columnCalls from '@mozhan/contract/columns.ts';
import { ESSAY_STATUS, SORT_ORDER } from '@mozhan/contract/enums.ts';
import * as calls from '@mozhan/contract/essays.ts';
import * as staffCalls from '@mozhan/contract/staff-essays.ts';
import * as tagCalls from '@mozhan/contract/tags.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindDone, bindKept, bindPage, bindPrepared } from '../../../../http/route.ts';
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
  bindKept(calls.listEssays, lists.listEssays),
  bindKept(calls.getEssay, (ctx, { id }) => readEssay(ctx, id)),
  bind(calls.getEssaySource, (ctx, { id }) => readSource(ctx, signedIn(ctx), id)),
  bindPrepared(calls.createEssay, (ctx, input) => prepareEssay(ctx, writing(ctx, input.status), input)),
  bindPrepared(calls.updateEssay, (ctx, input) => prepareUpdate(ctx, writing(ctx, input.status), input)),
  bindDone(calls.removeEssay, (ctx, { id, reason }) => removeEssay(ctx, signedIn(ctx), id, reason)),
  bindPrepared(calls.changeEssayStatus, async (ctx, input) => {
    const change = await prepareStatus(ctx, signedIn(ctx), input);
    return async (ctx) => {
      const { id, status, revisionStatus, version } = await change(ctx);
      return { id, status, revision: revisionStatus, version };
    };
  }),
  bindDone(calls.appealEssay, (ctx, { id, text }) => appeal(ctx, signedIn(ctx), id, text)),
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
  bind(staffCalls.listStaffEssays, lists.listForStaff),
  bind(staffCalls.fileEssay, fileEssay),
  bind(audit.listAuditQueue, lists.listQueue),
  bind(audit.getAuditEssay, (ctx, { id }) => readForAudit(ctx, id)),
  bind(staffCalls.listEssayRecords, (ctx, { id }) => listRecords(ctx, id)),
];

const columnRoutes = [
  bind(columnCalls.listColumns, async (ctx, query) => {
    if (query.id !== undefined) return toColumn(await columns.getColumn(ctx, query.id), ctx.now);
    return mapPage(await columns.listColumns(ctx, query), (row) => toColumn(row, ctx.now));
  }),
  bind(columnCalls.createColumn, async (ctx, input) =>
    toColumn(await columns.createColumn(ctx, signedIn(ctx), input), ctx.now),
  ),
  bind(columnCalls.updateColumn, async (ctx, input) =>
    toColumn(await columns.updateColumn(ctx, signedIn(ctx), input), ctx.now),
  ),
  bindDone(columnCalls.removeColumn, (ctx, { id }) => columns.removeColumn(ctx, signedIn(ctx), id)),
  bindPage(columnCalls.listStaffColumns, toColumn, (ctx, query) => listAllColumns(ctx.db, query)),
  bind(columnCalls.updateStaffColumn, async (ctx, input) =>
    toColumn(await columns.updateAnyColumn(ctx, input), ctx.now),
  ),
  bindDone(columnCalls.removeStaffColumn, (ctx, { id }) => columns.removeAnyColumn(ctx, id)),
];

const tagRoutes = [
  bindPage(tagCalls.listStaffTags, toStaffTag, async (ctx, { sort, order, ...query }) => {
    const byName = sort === 'name';
    const isDescending = order === undefined ? !byName : order === SORT_ORDER.descending;
    return listStaffTags(ctx.db, { ...query, byName, isDescending });
  }),
  bindDone(tagCalls.renameTag, (ctx, { name, to }) => mergeTags(ctx, [name], to)),
  bindDone(tagCalls.mergeTags, (ctx, { from, to }) => mergeTags(ctx, from, to)),
  bindDone(tagCalls.removeTag, (ctx, { name }) => removeTag(ctx, name)),
];

export const routes = [...essayRoutes, ...columnRoutes, ...tagRoutes];
