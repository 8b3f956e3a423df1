export { seedInfoPages, updateInfoPage } from './actions/site.ts';
