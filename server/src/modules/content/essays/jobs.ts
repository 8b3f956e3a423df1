import { z } from 'zod';
import type { Jobs } from '../../../jobs.ts';
import { anchorHighlights } from './actions/anchor-highlights.ts';
import { notifyFollowers } from './actions/column-follows.ts';
import { rankEssays } from './actions/hot.ts';
import { deleteExpiredReads, refreshHeat } from './actions/reads.ts';
import { queueAuthorEssays, resumeReindex, runReindex } from './actions/reindex.ts';
import { countWords } from './actions/revisions.ts';
import { shelveScheduled } from './actions/status.ts';
import { retagEssays } from './actions/tags.ts';
import { eraseTrashed } from './actions/trash.ts';

const ranking = z.object({ all: z.boolean().default(false) });
const author = z.object({ authorId: z.string() });
const essay = z.object({ essayId: z.string() });

export const jobs: Jobs = {
  'shelve-essay': (ctx, payload) => shelveScheduled(ctx, z.object({ id: z.string() }).parse(payload).id),
  'refresh-heat': refreshHeat,
  'rank-essays': (ctx, payload) => rankEssays(ctx, ranking.parse(payload)),
  'forget-reads': deleteExpiredReads,
  'retag-essays': retagEssays,
  'count-words': countWords,
  'queue-author-essays': (ctx, payload) => queueAuthorEssays(ctx, author.parse(payload).authorId),
  'resume-reindex': resumeReindex,
  'notify-column-followers': (ctx, payload) => notifyFollowers(ctx, essay.parse(payload).essayId),
  'erase-essay': (ctx, payload) => eraseTrashed(ctx, essay.parse(payload).essayId),
  'anchor-highlights': (ctx, payload) => anchorHighlights(ctx, essay.parse(payload).essayId),
};

export const longJobs: Jobs = { 'reindex-essays': runReindex };

export const schedule = {
  'refresh-heat': '41 * * * *',
  'rank-essays': '2 * * * *',
  'forget-reads': '17 20 * * *',
  // Resumes a run whose process died.
  'retag-essays': '* * * * *',
  // Does nothing except after an update that added word counts.
  'count-words': '* * * * *',
  'resume-reindex': '* * * * *',
};
