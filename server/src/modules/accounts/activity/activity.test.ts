import { TREND_TYPE } from '@mozhan/contract/enums.ts';
import { expect, test } from 'vitest';
import { inTransaction } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { systemCtx } from '../../../jobs.ts';
import { startTestApp } from '../../../testing/app.ts';
import { recordTrends, removeTrends } from './index.ts';

test('records and removes 12000 trends in one statement each', async () => {
  const t = await startTestApp();
  const { user } = await t.register();
  const done = Array.from({ length: 12_000 }, () => ({
    userId: user.id,
    type: TREND_TYPE.like,
    targetKind: 'essay' as const,
    targetId: newId(),
  }));
  const ctx = systemCtx(t.app.services);
  const count = async () => {
    const { rows } = await t.app.services.pool.query(
      'select count(*)::int as count from trends where user_id = $1 and type = 1 and target_kind = 0',
      [user.id],
    );
    return rows[0]?.count;
  };
  await inTransaction(ctx, (ctx) => recordTrends(ctx, done));
  expect(await count()).toBe(12_000);
  await inTransaction(ctx, (ctx) => removeTrends(ctx, done));
  expect(await count()).toBe(0);
  await t.close();
});
