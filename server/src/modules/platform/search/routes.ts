import * as calls from '@mozhan/contract/search-index.ts';
import { bind, bindDone, bindPage } from '../../../http/route.ts';
import { addTerms, removeTerm } from './actions/dictionary.ts';
import { listTerms, type TermRow } from './queries/terms.ts';

const toTerm = ({ id, word, createdAt }: TermRow): calls.SearchTerm => ({
  id,
  word,
  createdAt: createdAt.toISOString(),
});

export const routes = [
  bindPage(calls.listSearchTerms, toTerm, (ctx, query) => listTerms(ctx.db, query)),
  bind(calls.createSearchTerms, (ctx, { words }) => addTerms(ctx, words)),
  bindDone(calls.removeSearchTerm, (ctx, { id }) => removeTerm(ctx, id)),
];
