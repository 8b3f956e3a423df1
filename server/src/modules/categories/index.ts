export {
  listEnabled as listEnabledCategories,
  listNames as listCategoryNames,
  seedCategories,
} from './actions.ts';
export { routes } from './routes.ts';
