export { getSchedule } from './actions/plan.ts';
export { type Copies, openCopies } from './copies.ts';
export { type Progress, writeBackup } from './dump.ts';
export { BackupError } from './errors.ts';
export { chooseFileName, ensureFolder, getFolder } from './folder.ts';
export { openBackup, RESTORE_APPLICATION_NAME, requireKeys, restoreBackup } from './restore.ts';
export {
  backUpBeforeUpdate,
  findLastUpdate,
  findUnfinishedUpdate,
  recordStart,
  recordUpdate,
  type Update,
} from './update.ts';
