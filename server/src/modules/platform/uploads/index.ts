export { storeImage, uploadAttachment } from './actions.ts';
export { hasUpload, listAttachments, listExclusiveFiles } from './queries.ts';
export { toFileName } from './rules.ts';
