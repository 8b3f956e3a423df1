/** The reason why a backup or restore failed, with a Chinese message for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}
