export { createFriendLink, removeFriendLink } from './actions/friend-links.ts';
export {
  importPage,
  type PageContent,
  planPageSlugs,
  prepareImportedPage,
  removeImportedPages,
} from './actions/import-pages.ts';
export { getNavigation, updateNavigation } from './actions/navigation.ts';
export { listPagePaths, seedInfoPages, updatePage } from './actions/pages.ts';
export {
  defaultSearchEngines,
  loadSearchEngines,
  SEARCH_ENGINES_TAG,
  toRobotsText,
} from './actions/search-engines.ts';
export { listInfoPages, listOwnPages } from './queries/pages.ts';
export { findRootFile } from './root-files.ts';
