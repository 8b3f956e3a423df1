import { APPLICATION_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/experts.ts';
import type { ApplicationStatus } from '@mozhan/contract/experts.ts';
import type { z } from 'zod';
import {
  type Ctx,
  inTransaction,
  invalidate,
  logChange,
  notifyAccountChanged,
  type Viewer,
} from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { getUser, notify, updateUser } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/experts.ts';
import type { ApplicationRow } from '../tables.ts';

type Fields = z.output<typeof calls.applyAsExpert.input>;

/** Only staff read applications, so words of the levels `mask` and `hold` are allowed. */
async function checkSensitiveWords(ctx: Ctx, given: Fields): Promise<void> {
  for (const field of ['realName', 'field', 'intro'] as const) {
    const { refused } = await screenText(ctx, given[field]);
    if (refused.length > 0)
      throw new CallError('WORDS_REFUSED', {
        fields: { [field]: `含有不能发布的词语：${refused.join('、')}` },
      });
  }
}

export async function applyAsExpert(ctx: Ctx, viewer: Viewer, input: Fields): Promise<ApplicationRow> {
  await checkSensitiveWords(ctx, input);
  return inTransaction(ctx, async (ctx) => {
    const { curIdentity } = await getUser(ctx.db, viewer.id);
    if (curIdentity === IDENTITY.writer) throw new CallError('ALREADY_WRITER');
    const application = await queries.insertApplication(ctx.db, {
      id: newId(),
      userId: viewer.id,
      ...input,
      createdAt: ctx.now,
    });
    if (application === null) throw new CallError('APPLICATION_WAITING');
    return application;
  });
}

/** The operation log must not contain personal data of the applicant. */
const toLog = ({ status, reason }: Pick<ApplicationRow, 'status' | 'reason'>) => ({ status, reason });

export function decideApplication(
  ctx: Ctx,
  actor: Viewer,
  { id, status, reason = '' }: z.output<typeof calls.decideApplication.input>,
): Promise<queries.StaffApplicationRow> {
  if (status !== APPLICATION_STATUS.approved && reason === '')
    throw new CallError('REASON_REQUIRED', { fields: { reason: '请写明理由，申请人会看到' } });
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.applicationRows.lock(ctx.db, id);
    if (before.status !== APPLICATION_STATUS.waiting) throw new CallError('ALREADY_HANDLED');
    const decision = { status, reason, decidedBy: actor.id, decidedAt: ctx.now };
    await queries.applicationRows.update(ctx.db, id, decision);
    if (status === APPLICATION_STATUS.approved) {
      await updateUser(ctx.db, before.userId, { curIdentity: IDENTITY.writer, updatedAt: ctx.now });
      invalidate(ctx, `user:${before.userId}`);
    }
    notifyAccountChanged(ctx, before.userId);
    await notify(ctx, { userId: before.userId, kind: 'system', text: decisionMessage(status, reason) });
    logChange(ctx, `apply:${id}`, toLog(before), toLog(decision));
    return queries.getStaffApplication(ctx.db, id);
  });
}

function decisionMessage(status: ApplicationStatus, reason: string): string {
  if (status !== APPLICATION_STATUS.approved)
    return `你的专家申请没有通过：${reason}。可以补充材料后再次申请。`;
  const note = reason === '' ? '' : `审核意见：${reason}。`;
  return `你的专家申请已通过，现在可以写文章了。${note}点右上角的「写文章」开始吧。`;
}
