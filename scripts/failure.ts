import { EmbeddedError } from '@mozhan/postgres';
import { ConfigError } from '@mozhan/server/config/config.ts';
import { BackupError } from '@mozhan/server/modules/admin/backups/index.ts';
import { print } from './progress.mjs';

/** Ends the process; what the operator can mend is told in its own sentence, without a stack. */
export function fail(error: unknown): never {
  const mendable =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof BackupError;
  print(mendable ? error.message : `出错了：${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
}
