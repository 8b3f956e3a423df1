import * as calls from '@mozhan/contract/search-index.ts';
import { bind, bindDone } from '../../../../http/route.ts';
import { requireSignedIn } from '../../../../viewer.ts';
import { cancelReindex, getSearchIndexState, startReindex } from '../actions/reindex.ts';

export const routes = [
  bind(calls.getSearchIndex, getSearchIndexState),
  bind(calls.startReindex, (ctx) => startReindex(ctx, requireSignedIn(ctx))),
  bindDone(calls.cancelReindex, (ctx, { id }) => cancelReindex(ctx, id)),
];
