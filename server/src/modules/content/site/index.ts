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
export { listInfoPages, listOwnPages } from './queries/pages.ts';
export { getSearchEngines, toRobotsText } from './actions/search-engines.ts';
export { createRootFileFinder } from './root-files.ts';
