export { type Progress, writeBackup } from './dump.ts';
export { BackupError } from './errors.ts';
export { chooseName } from './folder.ts';
export { openBackup, RESTORING, requireKeys, restoreBackup } from './restore.ts';
