import type { ReindexRun } from '@mozhan/contract/search-index.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import type { ReindexRunRow } from '../tables.ts';

interface Row {
  run: ReindexRunRow;
  starter: User | null;
}

export const toReindexRun = ({ run, starter }: Row, now: Date): ReindexRun => ({
  id: run.id,
  state: run.state,
  done: run.done,
  total: run.total,
  startedBy: starter === null ? null : toUserCard(starter, now),
  createdAt: run.createdAt.toISOString(),
  finishedAt: run.finishedAt?.toISOString() ?? null,
});
