export {
  createCategory,
  listEnabled as listEnabledCategories,
  listNames as listCategoryNames,
  removeCategory,
  seedCategories,
} from './actions.ts';
