export { storeImage } from './actions.ts';
export { hasUpload, listOwnFiles } from './queries.ts';
export { routes } from './routes.ts';
