export { storeImage, uploadAttachment } from './actions.ts';
export { hasUpload, listAttachments, listOwnFiles } from './queries.ts';
export { toFileName } from './rules.ts';
