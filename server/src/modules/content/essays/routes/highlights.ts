import * as calls from '@mozhan/contract/highlights.ts';
import { mapPage } from '../../../../db/page.ts';
import { bind, bindCached, bindDone, bindPrepared } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import * as actions from '../actions/highlights.ts';
import { toHighlight, toHighlightedEssay, toPassage } from '../views/highlights.ts';

export const routes = [
  bind(calls.listHighlights, async (ctx, input) =>
    mapPage(await actions.listHighlights(ctx, requireSignedIn(ctx), input), (row) => toHighlight(row, false)),
  ),
  bind(calls.listHighlightedEssays, async (ctx, input) =>
    mapPage(await actions.listHighlightedEssays(ctx, requireSignedIn(ctx), input), toHighlightedEssay),
  ),
  bindCached(calls.getMarks, async (ctx, { essayId }) => {
    const { mine, passages, mayReadAll } = await actions.getMarks(ctx, essayId);
    return { mine: mine.map((row) => toHighlight(row, mayReadAll)), passages: passages.map(toPassage) };
  }),
  bindPrepared(calls.createHighlight, async (ctx, input) => {
    const create = await actions.prepareHighlight(ctx, requireSignedIn(ctx), input);
    // The words were just found in a text that the reader may read.
    return async (ctx) => toHighlight(await create(ctx), true);
  }),
  bind(calls.updateHighlight, async (ctx, input) => {
    const row = await actions.updateHighlight(ctx, requireSignedIn(ctx), input);
    return toHighlight(row, await actions.mayReadWords(ctx, row.highlight));
  }),
  bindDone(calls.removeHighlight, (ctx, { id }) => actions.removeHighlight(ctx, requireSignedIn(ctx), id)),
];
