/** `npm run admin:reset` and the like: what an operator does beside a running server or without one. */
import {
  adminReset,
  type CommandOptions,
  countersCheck,
  demoRemove,
  ledgerCheck,
} from '../server/src/commands.ts';
import { fail } from './failure.ts';
import { print } from './progress.mjs';

const commands: Record<string, (options: CommandOptions) => Promise<void>> = {
  'admin:reset': adminReset,
  'counters:check': countersCheck,
  'demo:remove': demoRemove,
  'ledger:check': ledgerCheck,
};

const [name = '', ...args] = process.argv.slice(2);
try {
  await commands[name]?.({ args, print });
} catch (error) {
  fail(error);
}
