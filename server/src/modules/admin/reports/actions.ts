import { ESSAY_STATUS, REPORT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalid } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/reports.ts';
import type { z } from 'zod';
import { type Ctx, changed, inTx, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { notify } from '../../accounts/users/index.ts';
import { findSpeaker } from '../../messaging/chats/index.ts';
import { listEnabledItems } from '../../platform/dicts/index.ts';
import * as queries from './queries.ts';

const REASONS = 'report-reason';

const kindNames = { essay: '文章', comment: '评论', user: '用户', chat: '消息' };

async function checkReason(ctx: Ctx, reason: string): Promise<void> {
  const items = await listEnabledItems(ctx, REASONS);
  if (!items.some((item) => item.value === reason)) throw invalid('reason', '请选择理由');
}

/** Whose it is: a thing that is there and somebody else's. */
async function findTarget(
  ctx: Ctx,
  viewer: Viewer,
  kind: keyof typeof kindNames,
  targetId: string,
): Promise<string> {
  const ownerId =
    kind === 'chat'
      ? await findSpeaker(ctx, viewer, targetId)
      : await queries.findOwner(ctx.db, kind, targetId);
  if (ownerId === null) throw invalid('targetId', `没有找到要举报的${kindNames[kind]}`);
  if (ownerId === viewer.id) throw new CallError('REPORT_SELF');
  return ownerId;
}

export async function reportSomething(
  ctx: Ctx,
  viewer: Viewer,
  { kind, targetId, reason, detail = '' }: z.output<typeof calls.reportSomething.input>,
): Promise<void> {
  await checkReason(ctx, reason);
  const ownerId = await findTarget(ctx, viewer, kind, targetId);
  await queries.insertReport(ctx.db, {
    id: newId(),
    kind,
    targetId,
    ownerId,
    userId: viewer.id,
    reason,
    detail,
    createdAt: ctx.now,
  });
}

/** All open reports of the thing get the same answer, and everyone who reported it hears it. */
export function handleReport(
  ctx: Ctx,
  actor: Viewer,
  { id, status, result }: z.output<typeof calls.handleReport.input>,
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const open = await queries.lockOpen(ctx.db, await queries.findReport(ctx.db, id));
    if (!open.some((report) => report.id === id)) throw new CallError('ALREADY_HANDLED');
    const reported = await queries.getReport(ctx.db, id);
    const handled = { status, result, handledBy: actor.id, handledAt: ctx.now };
    await queries.updateReports(
      ctx.db,
      open.map((report) => report.id),
      handled,
    );
    const text = sentence(reported, status === REPORT_STATUS.upheld, result);
    const told = open.flatMap(({ userId }) => (userId === null ? [] : [userId]));
    await notify(ctx, ...told.map((userId) => ({ userId, kind: 'system' as const, text })));
    for (const report of open) {
      changed(ctx, `report:${report.id}`, { status: report.status, result: '' }, { status, result });
    }
  });
}

/** Not what a draft is called by now: only what nobody could rename since. A whole comment would be too much to quote. */
function nameOf({ report, essay, owner }: queries.FullReport): string {
  const isPublic = essay?.status === ESSAY_STATUS.onShelf || essay?.status === ESSAY_STATUS.offShelf;
  if (report.kind === 'essay' && isPublic) return `《${essay.title}》`;
  return report.kind === 'user' && owner !== null ? ` ${owner.displayName} ` : '';
}

function sentence(reported: queries.FullReport, isTrue: boolean, result: string): string {
  const { kind } = reported.report;
  return `你举报的${kindNames[kind]}${nameOf(reported)}${isTrue ? '已核实并处理' : '经核实不属实'}：${result}`;
}

/** Before these people go: what they reported goes with them. */
export const releaseReports = (ctx: Ctx, userIds: string[]): Promise<void> =>
  queries.removeReportsOf(ctx.db, userIds);
