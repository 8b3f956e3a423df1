import type { EssayStatus } from '@mozhan/contract/essays.ts';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { insertRecord } from '../queries/essays.ts';
import type { EssayRow } from '../tables.ts';

export const recordStatusChange = (
  ctx: Ctx,
  essay: EssayRow,
  change: { to: EssayStatus; isRevision: boolean; reason?: string | undefined; isAppeal?: boolean },
): Promise<void> =>
  insertRecord(ctx.db, {
    id: newId(),
    essayId: essay.id,
    userId: ctx.viewer?.id ?? null,
    version: essay.version,
    fromStatus: change.isRevision ? essay.revisionStatus : essay.status,
    toStatus: change.to,
    revision: change.isRevision,
    appeal: change.isAppeal ?? false,
    reason: change.reason ?? '',
    createdAt: ctx.now,
  });
