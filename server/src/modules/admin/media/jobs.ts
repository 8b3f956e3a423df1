import { inTransaction } from '../../../ctx.ts';
import type { Jobs } from '../../../jobs.ts';
import { markUnused, removeNextDiscarded } from '../../platform/uploads/index.ts';
import { isFileOfTransfer } from './queries/files.ts';

/** Keeps a run short; the rest follows in the next hour. */
const MAX_FILES = 2000;

export const jobs: Jobs = {
  async 'remove-discarded-files'(ctx) {
    for (let count = 0; count < MAX_FILES; count++)
      if (!(await removeNextDiscarded(ctx, isFileOfTransfer))) return;
  },
  async 'mark-unused-files'(ctx) {
    await inTransaction(ctx, (ctx) => markUnused(ctx.db, 'image'));
    await inTransaction(ctx, (ctx) => markUnused(ctx.db, 'attachment'));
  },
};
export const schedule = { 'remove-discarded-files': '20 * * * *', 'mark-unused-files': '10 19 * * *' };
