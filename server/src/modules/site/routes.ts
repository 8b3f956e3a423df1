import { getSite } from '#contract/site.ts';
import { bind } from '../../http/route.ts';
import { canMail } from '../mail/index.ts';
import { getSiteSettings } from '../settings/index.ts';

export const routes = [
  bind(getSite, async (ctx) => ({
    settings: await getSiteSettings(ctx),
    features: { mail: canMail(ctx) },
    year: ctx.now.getFullYear(),
  })),
];
