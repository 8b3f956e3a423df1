export {
  createCategory,
  listAllCategories,
  listCategoryNames,
  listEnabledCategories,
  removeCategory,
  seedCategories,
} from './actions.ts';
