export { indexEssay, type SearchDocument, unindexEssay, updateHeat } from './actions/index-essay.ts';
export {
  findNames,
  findTitles,
  indexName,
  indexNames,
  suggestSearchTerms,
  unindexName,
} from './actions/names.ts';
export {
  MAX_RESULTS,
  parseKeyword,
  type SearchFilter,
  searchEssays,
  toSearchCtx,
} from './actions/search-essays.ts';
export { getTitleBreaks } from './actions/title-breaks.ts';
export { getTermListVersion, updateIndexedVersion } from './queries/terms.ts';
export { createExcerpt } from './rules/excerpt.ts';
export { normalizeSearchText } from './rules/normalize.ts';
export { hash32 } from './rules/tokens.ts';
