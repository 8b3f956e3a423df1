import * as calls from '@mozhan/contract/site.ts';
import { addPageTags, type Ctx } from '../../../../ctx.ts';
import { bind } from '../../../../http/route.ts';
import { callerOf } from '../../../../threads/fair-queue.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { canSendMail, canSendSms } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings } from '../../../platform/settings/index.ts';
import { renderMarkdown } from '../../../platform/text/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { listVisibleAnnouncements as listCurrentAnnouncements } from '../actions/announcements.ts';
import * as actions from '../actions/site.ts';
import { getInfoPage, getInfoPageVersion, listInfoPages, listInfoPageVersions } from '../queries/site.ts';
import { toVariables } from '../variables.ts';
import { toVisibleAnnouncement } from '../views/announcements.ts';
import { toInfoPage, toNavCategory, toPageVersion, toRenderedPage, toStaffInfoPage } from '../views/site.ts';

async function getPage(ctx: Ctx, name: calls.InfoPageName) {
  addPageTags(ctx, `page:${name}`);
  return getInfoPage(ctx.db, name);
}

export const routes = [
  bind(calls.getSite, async (ctx, input) => {
    const { config } = ctx.services;
    const [settings, categories, announcements, page] = await Promise.all([
      getSiteSettings(ctx),
      listEnabledCategories(ctx),
      listCurrentAnnouncements(ctx),
      input.page === undefined ? null : getPage(ctx, input.page),
    ]);
    return {
      settings,
      categories: categories.map(toNavCategory),
      announcements: announcements.map((row) => toVisibleAnnouncement(row, config)),
      features: { mail: canSendMail(ctx), sms: canSendSms(ctx) },
      year: ctx.now.getFullYear(),
      ...(page === null ? {} : { page: toInfoPage(page, toVariables(settings, config)) }),
    };
  }),
  bind(calls.getSettings, (ctx) => getSiteSettings(ctx)),
  bind(calls.updateSettings, (ctx, input) => actions.updateSettings(ctx, requireSignedIn(ctx), input)),
  bind(calls.previewSettings, async (ctx, input) => ({
    url: await actions.previewSettings(ctx, requireSignedIn(ctx), input),
  })),
  bind(calls.listInfoPages, async (ctx, input) => {
    const variables = await actions.getVariables(ctx);
    return input.page === undefined
      ? (await listInfoPages(ctx.db)).map((page) => toStaffInfoPage(page, variables))
      : toStaffInfoPage(await getInfoPage(ctx.db, input.page), variables);
  }),
  bind(calls.updateInfoPage, async (ctx, input) =>
    toStaffInfoPage(
      await actions.updateInfoPage(ctx, requireSignedIn(ctx), input),
      await actions.getVariables(ctx),
    ),
  ),
  bind(calls.listPageVersions, async (ctx, { page, version }) => {
    if (version === undefined)
      return (await listInfoPageVersions(ctx.db, page)).map((row) => toPageVersion(row, ctx.now));
    const row = await getInfoPageVersion(ctx.db, page, version);
    return { ...toPageVersion(row, ctx.now), content: row.version.content };
  }),
  bind(calls.previewInfoPage, async (ctx, input) =>
    toRenderedPage(
      await renderMarkdown(callerOf(ctx), input.content, { siteUrl: ctx.services.config.siteUrl }),
      await actions.getVariables(ctx),
    ),
  ),
];
