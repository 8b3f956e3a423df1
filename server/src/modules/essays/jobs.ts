import { z } from 'zod';
import type { Jobs } from '../../jobs.ts';
import { shelveScheduled } from './actions/status.ts';
import { removeOldReads } from './queries/shelf.ts';

const DAY_MS = 86_400_000;

export const jobs: Jobs = {
  'shelve-essay': (ctx, payload) => shelveScheduled(ctx, z.object({ id: z.string() }).parse(payload).id),
  'forget-reads': (ctx) =>
    removeOldReads(ctx.db, new Date(ctx.now.getTime() - 2 * DAY_MS).toISOString().slice(0, 10)),
};
export const schedule = { 'forget-reads': '17 20 * * *' };
