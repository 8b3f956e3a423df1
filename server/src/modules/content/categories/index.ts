export {
  createCategory,
  listCategoryNames,
  listEnabledCategories,
  removeCategory,
  seedCategories,
} from './actions.ts';
