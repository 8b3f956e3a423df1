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
