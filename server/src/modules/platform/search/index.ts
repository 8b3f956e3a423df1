export { indexEssay, type SearchDoc, unindexEssay, updateHeat } from './actions/index-essay.ts';
export { findNames, indexName, indexNames, suggest, unindexName } from './actions/names.ts';
export { MOST_FOUND, onSearchConnection, searchEssays } from './actions/search-essays.ts';
export { excerpt } from './rules/excerpt.ts';
export { fold } from './rules/fold.ts';
export { hash } from './rules/tokens.ts';
