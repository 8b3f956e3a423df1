import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError, invalidField } from '@mozhan/contract/errors.ts';
import { type Ctx, logChange, type Viewer } from '../../../../ctx.ts';
import { hasPermission } from '../../../../viewer.ts';
import { withOperationLog } from '../../../accounts/access/index.ts';
import { notify } from '../../../accounts/users/index.ts';
import { findActiveUser } from '../queries/users.ts';
import { isAuthor } from '../rules/essays.ts';
import type { EssayRow } from '../tables.ts';

/** The author of a new essay: the viewer, or a writer for whom staff write. */
export async function getAuthorId(ctx: Ctx, viewer: Viewer, given: string | undefined): Promise<string> {
  if (given === undefined || given === viewer.id) return viewer.id;
  if (!hasPermission(viewer, 'essay:edit')) throw new CallError('FORBIDDEN');
  const author = await findActiveUser(ctx.db, given);
  if (author?.curIdentity !== IDENTITY.writer) throw invalidField('authorId', '没有这位作者，或账号已停用');
  return author.id;
}

/** The value of `editor_id`: null if the author saves the version. */
export const editorIdOf = (viewer: Viewer, essay: Pick<EssayRow, 'authorId'>): string | null =>
  isAuthor(viewer, essay) ? null : viewer.id;

interface StaffChange {
  call:
    | 'POST core/essay/'
    | 'PUT core/essay/'
    | 'POST core/essay/{id}/revision/restore'
    | 'PUT core/essay/{id}/revision/name';
  summary: string;
  /** Null when nothing but the log entry is needed. */
  notice: string | null;
  before: object | null;
  after: object;
}

/** Adds a change that staff made for an author to the operation log, and notifies the author. */
export async function recordStaffChange(
  ctx: Ctx,
  viewer: Viewer,
  essay: Pick<EssayRow, 'id' | 'authorId' | 'title'>,
  { call, summary, notice, before, after }: StaffChange,
): Promise<void> {
  if (isAuthor(viewer, essay)) return;
  const { id, authorId, title } = essay;
  await withOperationLog(ctx, { call, summary, input: { id } }, async (ctx) =>
    logChange(ctx, `essay:${id}`, before, after),
  );
  if (notice === null) return;
  await notify(ctx, {
    userId: authorId,
    kind: 'audit',
    text: `编辑「${viewer.displayName}」${notice}《${title || '还没有标题'}》，历史版本里可以看到改动`,
    target: { id, title, url: `/essay/edit.html?id=${id}` },
  });
}
