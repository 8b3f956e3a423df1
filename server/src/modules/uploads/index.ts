export { storeImage, uploadAttachment } from './actions.ts';
export { jobs, schedule } from './jobs.ts';
export { hasUpload, listAttachments, listOwnFiles } from './queries.ts';
export { routes } from './routes.ts';
export { toFileName } from './rules.ts';
