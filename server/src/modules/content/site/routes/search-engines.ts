import * as calls from '@mozhan/contract/search-engines.ts';
import type { Ctx } from '../../../../ctx.ts';
import { bind } from '../../../../http/route.ts';
import * as actions from '../actions/search-engines.ts';

const withRobotsText = (ctx: Ctx, settings: Awaited<ReturnType<typeof actions.getSearchEngines>>) => ({
  ...settings,
  robotsText: actions.toRobotsText(ctx, settings),
});

export const routes = [
  bind(calls.getSearchEngines, async (ctx) => withRobotsText(ctx, await actions.getSearchEngines(ctx))),
  bind(calls.updateSearchEngines, async (ctx, input) =>
    withRobotsText(ctx, await actions.updateSearchEngines(ctx, input)),
  ),
  bind(calls.previewRobots, async (ctx, input) => {
    actions.requireValidRobots(input.robots);
    return { robotsText: actions.toRobotsText(ctx, input) };
  }),
];
