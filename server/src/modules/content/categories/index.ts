export {
  createCategory,
  defaultCategoryNames,
  listAllCategories,
  listCategoryNames,
  listEnabledCategories,
  removeCategory,
  seedCategories,
} from './actions.ts';
