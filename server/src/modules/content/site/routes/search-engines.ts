import * as calls from '@mozhan/contract/search-engines.ts';
import type { Ctx } from '../../../../ctx.ts';
import { bind } from '../../../../http/route.ts';
import * as actions from '../actions/search-engines.ts';

const withRobotsText = ({ services: { config } }: Ctx, settings: calls.SearchEngines) => ({
  ...settings,
  robotsText: actions.toRobotsText(config, settings),
});

export const routes = [
  bind(calls.getSearchEngines, async (ctx) => withRobotsText(ctx, await actions.loadSearchEngines(ctx.db))),
  bind(calls.updateSearchEngines, async (ctx, input) =>
    withRobotsText(ctx, await actions.updateSearchEngines(ctx, input)),
  ),
  bind(calls.previewRobots, async ({ services: { config } }, input) => {
    actions.requireValidRobots(input.robots);
    return { robotsText: actions.toRobotsText(config, input) };
  }),
];
