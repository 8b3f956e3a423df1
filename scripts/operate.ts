/** Operator commands such as `npm run admin:reset`, which work with or without a running server. */
import { backup, restore } from '@mozhan/server/commands/backup.ts';
import {
  adminReset,
  type CommandOptions,
  countersCheck,
  demoRemove,
  filesMove,
  ledgerCheck,
} from '@mozhan/server/commands/commands.ts';
import { secretsRotate } from '@mozhan/server/commands/secrets.ts';
import { exitWithError } from './failure.ts';
import { print } from './progress.mjs';

const commands: Record<string, (options: CommandOptions) => Promise<void>> = {
  'admin:reset': adminReset,
  backup,
  'counters:check': countersCheck,
  'demo:remove': demoRemove,
  'files:move': filesMove,
  'ledger:check': ledgerCheck,
  restore,
  'secrets:rotate': secretsRotate,
};

const [name = '', ...args] = process.argv.slice(2);
try {
  await commands[name]?.({ args, print });
} catch (error) {
  await exitWithError(error);
}
