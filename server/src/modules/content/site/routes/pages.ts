import * as calls from '@mozhan/contract/site.ts';
import type { Ctx } from '../../../../ctx.ts';
import { bind, bindDone, bindPrepared } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import * as actions from '../actions/pages.ts';
import { getVariables } from '../actions/site.ts';
import * as queries from '../queries/pages.ts';
import type { PageRow } from '../tables.ts';
import { toListedPage, toPageVersion, toRenderedPage, toSitePage, toStaffPage } from '../views/pages.ts';

/** Loads what the view of any page needs. */
async function staffView(ctx: Ctx): Promise<(row: PageRow) => calls.StaffPage> {
  const variables = await getVariables(ctx);
  const shown = await actions.listShownPages(ctx);
  return (row) => toStaffPage(row, variables, shown);
}

export const routes = [
  bind(calls.getSitePage, async (ctx, { slug }) =>
    toSitePage(await actions.getPublishedPage(ctx, slug), await getVariables(ctx)),
  ),
  bind(calls.listInfoPages, async (ctx, { page }) => {
    const toView = await staffView(ctx);
    return page === undefined
      ? (await queries.listInfoPages(ctx.db)).map(toView)
      : toView(await queries.getPage(ctx.db, page));
  }),
  bind(calls.listPages, async (ctx) => {
    const [rows, shown] = await Promise.all([queries.listPages(ctx.db), actions.listShownPages(ctx)]);
    return rows.map((row) => toListedPage(row, shown));
  }),
  bindPrepared(calls.createPage, async (ctx, input) => {
    const create = await actions.prepareCreate(ctx, requireSignedIn(ctx), input);
    return async (ctx) => {
      const page = await create(ctx);
      return (await staffView(ctx))(page);
    };
  }),
  bindPrepared(calls.updatePage, async (ctx, input) => {
    const update = await actions.prepareUpdate(ctx, requireSignedIn(ctx), input);
    return async (ctx) => {
      const page = await update(ctx);
      return (await staffView(ctx))(page);
    };
  }),
  bindDone(calls.removePage, (ctx, { page }) => actions.removePage(ctx, page)),
  bind(calls.listPageVersions, async (ctx, { page, version }) => {
    const { id } = await queries.getPage(ctx.db, page);
    if (version === undefined)
      return (await queries.listPageVersions(ctx.db, id)).map((row) => toPageVersion(row, ctx.now));
    const row = await queries.getPageVersion(ctx.db, id, version);
    return { ...toPageVersion(row, ctx.now), content: row.version.content };
  }),
  bind(calls.previewPage, async (ctx, { content }) =>
    toRenderedPage(await actions.renderPage(ctx, content), await getVariables(ctx)),
  ),
];
