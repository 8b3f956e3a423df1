import * as calls from '#contract/site.ts';
import { type Ctx, shows } from '../../ctx.ts';
import { bind } from '../../http/route.ts';
import { signedIn } from '../../http/viewer.ts';
import { listEnabledCategories } from '../categories/index.ts';
import { canMail } from '../mail/index.ts';
import { getSiteSettings } from '../settings/index.ts';
import { renderMarkdown } from '../text/index.ts';
import * as actions from './actions.ts';
import { getInfoPage, listInfoPages } from './queries.ts';
import { variablesOf } from './variables.ts';
import { toInfoPage, toNavCategory, toRendered, toStaffInfoPage } from './views.ts';

async function readPage(ctx: Ctx, name: calls.InfoPageName) {
  shows(ctx, `page:${name}`);
  return getInfoPage(ctx.db, name);
}

export const routes = [
  bind(calls.getSite, async (ctx, input) => {
    const [settings, categories, page] = await Promise.all([
      getSiteSettings(ctx),
      listEnabledCategories(ctx),
      input.page === undefined ? null : readPage(ctx, input.page),
    ]);
    return {
      settings,
      categories: categories.map(toNavCategory),
      features: { mail: canMail(ctx) },
      year: ctx.now.getFullYear(),
      ...(page === null ? {} : { page: toInfoPage(page, variablesOf(settings, ctx.services.config)) }),
    };
  }),
  bind(calls.getSettings, (ctx) => getSiteSettings(ctx)),
  bind(calls.updateSettings, (ctx, input) => actions.updateSettings(ctx, signedIn(ctx), input)),
  bind(calls.listInfoPages, async (ctx, input) => {
    const variables = await actions.getVariables(ctx);
    return input.page === undefined
      ? (await listInfoPages(ctx.db)).map((page) => toStaffInfoPage(page, variables))
      : toStaffInfoPage(await getInfoPage(ctx.db, input.page), variables);
  }),
  bind(calls.updateInfoPage, async (ctx, input) =>
    toStaffInfoPage(await actions.updateInfoPage(ctx, input), await actions.getVariables(ctx)),
  ),
  bind(calls.previewInfoPage, async (ctx, input) =>
    toRendered(await renderMarkdown(input.content), await actions.getVariables(ctx)),
  ),
];
