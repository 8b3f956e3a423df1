import * as calls from '@mozhan/contract/site.ts';
import { getSwitches, updateSwitches as updateSwitchesCall } from '@mozhan/contract/switches.ts';
import { bind } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { canSendMail, canSendSms } from '../../../platform/mail-sms/index.ts';
import { getSiteSettings, updateSwitches } from '../../../platform/settings/index.ts';
import { listEnabledCategories } from '../../categories/index.ts';
import { listVisibleAnnouncements as listCurrentAnnouncements } from '../actions/announcements.ts';
import { getFrame } from '../actions/navigation.ts';
import { getInfoPage } from '../actions/pages.ts';
import { getSearchEngines } from '../actions/search-engines.ts';
import * as actions from '../actions/site.ts';
import { toVariables } from '../variables.ts';
import { toVisibleAnnouncement } from '../views/announcements.ts';
import { toInfoPage } from '../views/pages.ts';
import { toNavCategory, toPublicSwitches, toVerification } from '../views/site.ts';
import { toVisibleNavigation } from '../views/visible-navigation.ts';

export const routes = [
  bind(calls.getSite, async (ctx, input) => {
    const { config } = ctx.services;
    const [settings, categories, announcements, frame, page] = await Promise.all([
      getSiteSettings(ctx),
      listEnabledCategories(ctx),
      listCurrentAnnouncements(ctx),
      getFrame(ctx),
      input.page === undefined ? null : getInfoPage(ctx, input.page),
    ]);
    const variables = toVariables(settings, config);
    const isDefault = frame.header === null && frame.footer === null;
    return {
      settings,
      categories: categories.map(toNavCategory),
      announcements: announcements.map((row) => toVisibleAnnouncement(row, config)),
      switches: toPublicSwitches(ctx),
      features: { mail: canSendMail(ctx), sms: canSendSms(ctx) },
      year: ctx.now.getFullYear(),
      ...(input.page === undefined || page === null ? {} : { page: toInfoPage(input.page, page, variables) }),
      ...(isDefault ? {} : { navigation: toVisibleNavigation(frame, { categories, variables }) }),
      ...toVerification(getSearchEngines(ctx)),
      ...(frame.hasFriendLinks ? { hasFriendLinks: true as const } : {}),
    };
  }),
  bind(calls.getSettings, (ctx) => getSiteSettings(ctx)),
  bind(calls.updateSettings, (ctx, input) => actions.updateSettings(ctx, requireSignedIn(ctx), input)),
  bind(getSwitches, async (ctx) => ctx.services.switches.current()),
  bind(updateSwitchesCall, updateSwitches),
  bind(calls.previewSettings, async (ctx, input) => ({
    url: await actions.previewSettings(ctx, requireSignedIn(ctx), input),
  })),
];
