export { storeImage } from './actions.ts';
export { hasUpload, listAttachments, listOwnFiles } from './queries.ts';
export { routes } from './routes.ts';
export { toFileName } from './rules.ts';
