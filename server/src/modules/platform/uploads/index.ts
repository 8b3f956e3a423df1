export {
  getQuotas,
  getUserStorage,
  graceEnd,
  removeNextDiscarded,
  removeUnused,
  updateQuotas,
  updateUserQuotas,
} from './actions/storage.ts';
export { storeAttachment, storeImage } from './actions/upload.ts';
export type { ImageJob } from './images.ts';
export { hasUpload, listAttachments, listExclusiveFiles } from './queries/files.ts';
export { markUnused, sumTotals, sumUnused } from './queries/storage.ts';
export { toFileName } from './rules.ts';
