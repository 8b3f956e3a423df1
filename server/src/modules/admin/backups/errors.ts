/** What is in the way of a backup or of restoring one, as a Chinese sentence for whoever asked for it. */
export class BackupError extends Error {
  override name = 'BackupError';
}
