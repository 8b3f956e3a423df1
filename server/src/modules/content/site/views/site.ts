import type { SearchEngines } from '@mozhan/contract/search-engines.ts';
import type { Site } from '@mozhan/contract/site.ts';
import { addPageTags, type Ctx } from '../../../../ctx.ts';
import { SWITCHES_TAG } from '../../../platform/settings/index.ts';
import type { Category } from '../../categories/tables.ts';

export const toNavCategory = ({ id, slug, name, icon }: Category) => ({ id, slug, name, icon });

export function toPublicSwitches(ctx: Ctx): Site['switches'] {
  addPageTags(ctx, SWITCHES_TAG);
  const { registration, comments, rewards, letters, chats, maintenance } = ctx.services.switches.current();
  return { registration, comments, rewards, letters, chats, maintenance };
}

/** The names of the meta tags by which search engines recognize the owner. */
const metaNames = {
  baidu: 'baidu-site-verification',
  google: 'google-site-verification',
  bing: 'msvalidate.01',
  so360: '360-site-verification',
  sogou: 'sogou_site_verification',
} as const;

/** Absent while nothing is set, because every page contains it. */
export function toVerification(settings: SearchEngines): Pick<Site, 'verification'> {
  const keys = Object.keys(metaNames) as (keyof typeof metaNames)[];
  const set = keys.filter((key) => settings[key] !== '');
  if (set.length === 0) return {};
  return { verification: Object.fromEntries(set.map((key) => [metaNames[key], settings[key]])) };
}
