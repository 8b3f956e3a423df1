export { type Progress, writeBackup } from './dump.ts';
export { BackupError } from './errors.ts';
export { chooseName } from './folder.ts';
export { jobs, longJobs, schedule } from './jobs.ts';
export { openBackup, RESTORING, requireKeys, restoreBackup } from './restore.ts';
export { routes } from './routes.ts';
export { serveBackups } from './serve.ts';
