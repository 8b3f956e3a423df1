import * as calls from '@mozhan/contract/code-farmers.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import {
  findFarmer,
  listFarmers,
  listSkillNames,
  removeFarmer,
  saveFarmer,
} from '../actions/code-farmers.ts';
import { toFarmer } from '../views/code-farmers.ts';

export const routes = [
  bind(calls.listFarmers, async (ctx, input) => {
    const names = await listSkillNames(ctx);
    return mapPage(await listFarmers(ctx, input), (card) => toFarmer(card, names, ctx.now));
  }),
  bind(calls.getFarmer, async (ctx, input) => {
    const card = await findFarmer(ctx, input.userId ?? requireSignedIn(ctx).id);
    return card === null ? null : toFarmer(card, await listSkillNames(ctx), ctx.now);
  }),
  bind(calls.updateFarmer, async (ctx, input) =>
    toFarmer(await saveFarmer(ctx, requireSignedIn(ctx), input), await listSkillNames(ctx), ctx.now),
  ),
  bindDone(calls.removeFarmer, (ctx) => removeFarmer(ctx, requireSignedIn(ctx))),
];
