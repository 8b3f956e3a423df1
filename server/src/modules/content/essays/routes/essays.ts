import * as audit from '@mozhan/contract/audit.ts';
import { ESSAY_STATUS, IDENTITY, SORT_ORDER } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import * as calls from '@mozhan/contract/essays.ts';
import { checkLinks as checkLinksCall } from '@mozhan/contract/link-checks.ts';
import * as previewCalls from '@mozhan/contract/previews.ts';
import * as historyCalls from '@mozhan/contract/reading-history.ts';
import * as revisions from '@mozhan/contract/revisions.ts';
import * as suggestionCalls from '@mozhan/contract/search-suggestions.ts';
import * as staffCalls from '@mozhan/contract/staff-essays.ts';
import * as tagCalls from '@mozhan/contract/tags.ts';
import type { z } from 'zod';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { bind, bindCached, bindDone, bindOnce, bindPage, bindPrepared } from '../../../../http/route.ts';
import { requireScope } from '../../../../http/scope.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { getEssayForAudit, listRecords } from '../actions/audit.ts';
import { changeEssays } from '../actions/bulk-change.ts';
import { categorizeEssay } from '../actions/categorize.ts';
import { checkLinks } from '../actions/link-checks.ts';
import * as lists from '../actions/lists.ts';
import { pinEssay, pinSiteEssay } from '../actions/pins.ts';
import { findIdBySlug, getEssayDetail, getEssaySource } from '../actions/read.ts';
import { listRevisions, nameRevision, readRevision } from '../actions/revisions.ts';
import { prepareNewEssay, prepareUpdate, restoreRevision } from '../actions/save.ts';
import { appealRejection, prepareStatusChange, removeEssay } from '../actions/status.ts';
import { previewDraft } from '../actions/submission.ts';
import { suggestKeywords } from '../actions/suggest.ts';
import { mergeTags, removeTag } from '../actions/tags.ts';
import { listStaffTags } from '../queries/tags.ts';
import { toStaffTag, withBasePath } from '../views/essays.ts';

/** Saving with submission also requires the scope `essay:submit`. */
function requireWriteScope(ctx: Ctx, status: calls.EssayStatus | undefined): Viewer {
  const viewer = requireSignedIn(ctx);
  if (status === ESSAY_STATUS.waiting) requireScope(viewer, 'essay:submit');
  return viewer;
}

/** Staff who write for authors need not be writers themselves. */
function requireNewEssayScope(ctx: Ctx, input: z.output<typeof calls.createEssay.input>): Viewer {
  const viewer = requireWriteScope(ctx, input.status);
  if (input.authorId === undefined && viewer.curIdentity !== IDENTITY.writer)
    throw new CallError('FORBIDDEN', { message: '成为作者后才能这样做' });
  return viewer;
}

const essayRoutes = [
  bindCached(calls.listEssays, lists.listEssays),
  bindCached(calls.listRanking, (ctx, { category }) => lists.listRanking(ctx, category)),
  bindCached(calls.getEssay, (ctx, { id }) => getEssayDetail(ctx, id)),
  bindCached(calls.findEssayBySlug, async (ctx, { slug }) => ({ id: await findIdBySlug(ctx, slug) })),
  bind(calls.getEssaySource, (ctx, { id }) => getEssaySource(ctx, requireSignedIn(ctx), id)),
  bindPrepared(calls.createEssay, (ctx, input) =>
    prepareNewEssay(ctx, requireNewEssayScope(ctx, input), input),
  ),
  bindPrepared(calls.updateEssay, (ctx, input) =>
    prepareUpdate(ctx, requireWriteScope(ctx, input.status), input),
  ),
  bindDone(calls.removeEssay, (ctx, { id, reason }) => removeEssay(ctx, requireSignedIn(ctx), id, reason)),
  bindPrepared(calls.changeEssayStatus, async (ctx, input) => {
    const change = await prepareStatusChange(ctx, requireSignedIn(ctx), input);
    return async (ctx) => {
      const { id, status, revisionStatus, version } = await change(ctx);
      return { id, status, revision: revisionStatus, version };
    };
  }),
  bindDone(calls.appealEssay, (ctx, { id, text }) => appealRejection(ctx, requireSignedIn(ctx), id, text)),
  bind(revisions.listRevisions, (ctx, { revision, named, ...query }) =>
    revision === undefined
      ? listRevisions(ctx, requireSignedIn(ctx), { ...query, isNamed: named !== undefined })
      : readRevision(ctx, requireSignedIn(ctx), query.id, revision),
  ),
  bind(revisions.nameRevision, (ctx, input) => nameRevision(ctx, requireSignedIn(ctx), input)),
  bind(revisions.restoreRevision, (ctx, { id, revision }) =>
    restoreRevision(ctx, requireSignedIn(ctx), id, revision),
  ),
  bind(previewCalls.previewEssay, async (ctx, { content }) => {
    const { sections, ...draft } = await previewDraft(ctx, content);
    const html = sections.map((section) => section.html).join('');
    return { ...draft, html: withBasePath(html, ctx.services.config) };
  }),
  bind(previewCalls.previewSections, async (ctx, { content, known }) => {
    const { sections } = await previewDraft(ctx, content, known);
    return {
      sections: sections.map(({ id, html }) => ({
        id,
        html: html === null ? null : withBasePath(html, ctx.services.config),
      })),
    };
  }),
  bind(checkLinksCall, async (ctx, { urls }) => ({ list: await checkLinks(ctx, urls) })),
  bind(calls.listRelatedEssays, (ctx, { id }) => lists.listRelatedEssays(ctx, id)),
  bind(calls.listTags, (ctx, { keyword, limit }) => lists.listTags(ctx, keyword, limit)),
  bind(suggestionCalls.suggestKeywords, suggestKeywords),
  bind(historyCalls.listReadingHistory, (ctx, query) =>
    lists.listReadingHistory(ctx, requireSignedIn(ctx).id, query),
  ),
  bind(historyCalls.listReadEssays, (ctx, { userId, ...query }) =>
    lists.listReadEssays(ctx, userId ?? requireSignedIn(ctx).id, query),
  ),
  bind(calls.pinEssay, (ctx, input) => pinEssay(ctx, requireSignedIn(ctx), input)),
  bind(staffCalls.pinSiteEssay, pinSiteEssay),
  bind(staffCalls.listStaffEssays, lists.listForStaff),
  bind(staffCalls.categorizeEssay, categorizeEssay),
  // A repeated request changes nothing, so its id is not needed.
  bindOnce(staffCalls.changeEssays, (ctx, input) => changeEssays(ctx, input)),
  bind(audit.listAuditQueue, lists.listQueue),
  bind(audit.getAuditEssay, (ctx, { id }) => getEssayForAudit(ctx, id)),
  bind(staffCalls.listEssayRecords, (ctx, { id }) => listRecords(ctx, id)),
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

export const routes = [...essayRoutes, ...tagRoutes];
