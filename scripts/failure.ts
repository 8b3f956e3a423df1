import { EmbeddedError } from '@mozhan/postgres';
import { ConfigError } from '@mozhan/server/config/config.ts';
import { print } from './progress.mjs';

/** Prints the error and exits; errors that operators can fix are printed without a stack. */
export async function exitWithError(error: unknown): Promise<never> {
  // Loads most of the program, so a start does it only here.
  const { BackupError } = await import('@mozhan/server/modules/admin/backups/index.ts');
  const isOperatorError =
    error instanceof ConfigError || error instanceof EmbeddedError || error instanceof BackupError;
  print(isOperatorError ? error.message : `出错了：${error instanceof Error ? error.stack : String(error)}`);
  process.exit(1);
}
