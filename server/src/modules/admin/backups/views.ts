import type { Backup, BackupPlan, BackupSchedule } from '@mozhan/contract/backups.ts';
import type { Manifest } from './manifest.ts';
import type { BackupWithUser } from './queries.ts';
import { nextRunAt } from './rules.ts';

/** The manifest in the backup has the full list. */
const MAX_MISSING_LISTED = 100;

export const toContents = (manifest: Manifest): NonNullable<Backup['contents']> => ({
  tables: manifest.tables.length,
  rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
  jobs: manifest.jobs.rows,
  files: manifest.files.count,
  fileBytes: manifest.files.bytes,
  missing: manifest.missing.slice(0, MAX_MISSING_LISTED),
  missingCount: manifest.missing.length,
  version: manifest.version,
  postgres: manifest.postgres,
});

const percent = (done: number, total: number): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));

export const toBackup = ({ backup, by }: BackupWithUser, isHere: boolean): Backup => ({
  id: backup.id,
  name: backup.name,
  madeBy: backup.madeBy,
  by,
  status: backup.status,
  bytes: backup.bytes,
  progress: backup.status === 'done' ? 100 : percent(backup.done, backup.total),
  message: backup.message,
  contents: backup.contents,
  copiedAt: backup.copiedAt?.toISOString() ?? null,
  copyError: backup.copyError,
  isHere,
  createdAt: backup.createdAt.toISOString(),
  finishedAt: backup.finishedAt?.toISOString() ?? null,
});

export const toPlan = (
  schedule: BackupSchedule,
  now: Date,
  storage: Pick<BackupPlan, 'folder' | 'freeBytes' | 'isManaged' | 'copiesTo'>,
): BackupPlan => ({ ...schedule, next: nextRunAt(schedule, now)?.toISOString() ?? null, ...storage });
