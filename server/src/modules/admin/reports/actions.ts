import { ESSAY_STATUS, REPORT_STATUS } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import type * as calls from '@mozhan/contract/reports.ts';
import type { LetterEvidence } from '@mozhan/contract/reports.ts';
import type { z } from 'zod';
import { type Ctx, inTransaction, logChange, type Viewer } from '../../../ctx.ts';
import { newId } from '../../../db/id.ts';
import { notify } from '../../accounts/users/index.ts';
import { findLetterEvidence, findVisibleMessageSender } from '../../messaging/chats/index.ts';
import { listEnabledItems } from '../../platform/dicts/index.ts';
import * as queries from './queries.ts';

const REASONS = 'report-reason';

const kindNames = { essay: '文章', comment: '评论', user: '用户', chat: '消息', letter: '私信' };

async function checkReason(ctx: Ctx, reason: string): Promise<void> {
  const items = await listEnabledItems(ctx, REASONS);
  if (!items.some((item) => item.value === reason)) throw invalidField('reason', '请选择理由');
}

interface ReportTarget {
  /** Null for a comment of a guest. */
  userId: string | null;
  evidence?: LetterEvidence;
}

/** Returns null unless the viewer can see the target. */
async function findTarget(
  ctx: Ctx,
  viewer: Viewer,
  kind: keyof typeof kindNames,
  targetId: string,
): Promise<ReportTarget | null> {
  if (kind === 'chat') {
    const userId = await findVisibleMessageSender(ctx, viewer, targetId);
    return userId === null ? null : { userId };
  }
  if (kind === 'letter') {
    const letter = await findLetterEvidence(ctx, viewer, targetId);
    return letter && { userId: letter.fromId, evidence: letter.evidence };
  }
  return queries.findOwner(ctx.db, kind, targetId);
}

/** The target must exist and belong to another user, or to a guest. */
async function requireTarget(
  ctx: Ctx,
  viewer: Viewer,
  kind: keyof typeof kindNames,
  targetId: string,
): Promise<ReportTarget> {
  const target = await findTarget(ctx, viewer, kind, targetId);
  if (target === null) throw invalidField('targetId', `没有找到要举报的${kindNames[kind]}`);
  if (target.userId === viewer.id) throw new CallError('REPORT_SELF');
  return target;
}

export async function createReport(
  ctx: Ctx,
  viewer: Viewer,
  { kind, targetId, reason, detail = '' }: z.output<typeof calls.createReport.input>,
): Promise<void> {
  await checkReason(ctx, reason);
  const { userId: ownerId, evidence = null } = await requireTarget(ctx, viewer, kind, targetId);
  await queries.insertReport(ctx.db, {
    id: newId(),
    kind,
    targetId,
    ownerId,
    userId: viewer.id,
    reason,
    detail,
    evidence,
    createdAt: ctx.now,
  });
}

/** Closes all open reports of the target with the same result and notifies all reporters. */
export function handleReport(
  ctx: Ctx,
  actor: Viewer,
  { id, status, result }: z.output<typeof calls.handleReport.input>,
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const open = await queries.lockOpenReports(ctx.db, await queries.findReport(ctx.db, id));
    if (!open.some((report) => report.id === id)) throw new CallError('ALREADY_HANDLED');
    const reported = await queries.getReport(ctx.db, id);
    const handled = { status, result, handledBy: actor.id, handledAt: ctx.now };
    await queries.updateReports(
      ctx.db,
      open.map((report) => report.id),
      handled,
    );
    const text = describeResult(reported, status === REPORT_STATUS.upheld, result);
    const recipientIds = open.flatMap(({ userId }) => (userId === null ? [] : [userId]));
    await notify(ctx, ...recipientIds.map((userId) => ({ userId, kind: 'system' as const, text })));
    for (const report of open) {
      logChange(ctx, `report:${report.id}`, { status: report.status, result: '' }, { status, result });
    }
  });
}

/** Omits the title of a draft, which is not public, and the text of a comment, which may be long. */
function quoteTarget({ report, essay, owner }: queries.ReportWithTarget): string {
  const isPublic = essay?.status === ESSAY_STATUS.onShelf || essay?.status === ESSAY_STATUS.offShelf;
  if (report.kind === 'essay' && isPublic) return `《${essay.title}》`;
  return report.kind === 'user' && owner !== null ? `「${owner.displayName}」` : '';
}

function describeResult(reported: queries.ReportWithTarget, isTrue: boolean, result: string): string {
  const { kind } = reported.report;
  return `你对${kindNames[kind]}${quoteTarget(reported)}的举报${isTrue ? '属实，已处理' : '经核实不属实'}：${result}`;
}

export const removeReportsByUsers = (ctx: Ctx, userIds: string[]): Promise<void> =>
  queries.removeReportsByUsers(ctx.db, userIds);
