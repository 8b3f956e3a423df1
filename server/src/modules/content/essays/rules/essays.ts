import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import type { EssayStatus, RevisionStatus } from '@mozhan/contract/essays.ts';
import type { Viewer } from '../../../../ctx.ts';
import { hasPermission } from '../../../../viewer.ts';
import type { EssayRow } from '../tables.ts';

export const essayNotFound = () => new CallError('NOT_FOUND', { message: '没有找到这篇文章' });

/** The canonical path of an essay's page, without the base path. */
export const essayPathOf = ({ id, slug }: Pick<EssayRow, 'id' | 'slug'>): string =>
  `/essay/detail/${slug === null ? id : encodeURIComponent(slug)}.html`;

/** The path of a column's page, without the base path. */
export const columnPathOf = (id: string): string => `/column/${id}.html`;

export const isAuthor = (viewer: Viewer | null, essay: Pick<EssayRow, 'authorId'>): boolean =>
  viewer?.id === essay.authorId;
export const canAudit = (viewer: Viewer | null): boolean => hasPermission(viewer, 'essay:audit');
const canOperate = (viewer: Viewer | null): boolean => hasPermission(viewer, 'essay:update');

/** Staff with this permission write and edit for authors. */
export const canEdit = (viewer: Viewer | null, essay: Pick<EssayRow, 'authorId'>): boolean =>
  isAuthor(viewer, essay) || hasPermission(viewer, 'essay:edit');

/** The author and staff see an essay of any status. Access of buyers is checked separately. */
export const canSee = (viewer: Viewer | null, essay: EssayRow): boolean =>
  essay.status === ESSAY_STATUS.onShelf ||
  canEdit(viewer, essay) ||
  canAudit(viewer) ||
  canOperate(viewer) ||
  hasPermission(viewer, 'essay:list');

/** Whether the viewer can make any status change at all. */
export const canChange = (viewer: Viewer, essay: EssayRow): boolean =>
  canEdit(viewer, essay) || canAudit(viewer) || canOperate(viewer);

export const canRemove = (viewer: Viewer, essay: EssayRow): boolean =>
  isAuthor(viewer, essay) || hasPermission(viewer, 'essay:remove');

/** What a reader needs for the full text; null if it is free. */
export function paywallOf({
  price,
  memberFree,
}: Pick<EssayRow, 'price' | 'memberFree'>): 'buy' | 'member' | null {
  if (price > 0) return 'buy';
  return memberFree ? 'member' : null;
}

export const canReadAll = (
  viewer: Viewer | null,
  essay: Pick<EssayRow, 'authorId' | 'price' | 'memberFree'>,
  has: { isMember: boolean; isBought: boolean },
): boolean =>
  paywallOf(essay) === null ||
  has.isBought ||
  isAuthor(viewer, essay) ||
  canAudit(viewer) ||
  (essay.memberFree && viewer !== null && has.isMember);

export const isEditable = ({ status, revisionStatus }: EssayRow): boolean =>
  status === ESSAY_STATUS.draft ||
  status === ESSAY_STATUS.rejected ||
  (status === ESSAY_STATUS.onShelf && revisionStatus !== ESSAY_STATUS.waiting);

/** An editor is a member of staff who writes for the author. */
type Actor = 'author' | 'auditor' | 'operator' | 'editor' | 'clock';

const transitions: [from: EssayStatus, to: EssayStatus, by: Actor[]][] = [
  [ESSAY_STATUS.draft, ESSAY_STATUS.waiting, ['author', 'editor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.draft, ['author', 'editor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.approved, ['auditor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.rejected, ['auditor']],
  [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf, ['author', 'operator', 'clock']],
  [ESSAY_STATUS.approved, ESSAY_STATUS.draft, ['author', 'editor']],
  [ESSAY_STATUS.offShelf, ESSAY_STATUS.draft, ['author', 'editor']],
  [ESSAY_STATUS.rejected, ESSAY_STATUS.draft, ['author', 'editor']],
  [ESSAY_STATUS.rejected, ESSAY_STATUS.waiting, ['author', 'editor']],
  [ESSAY_STATUS.onShelf, ESSAY_STATUS.offShelf, ['author', 'operator']],
  [ESSAY_STATUS.offShelf, ESSAY_STATUS.onShelf, ['author', 'operator']],
];

/** The same for the revision of an essay on the shelf; `onShelf` means that the revision is approved. */
const revisionTransitions: [from: RevisionStatus, to: EssayStatus, by: Actor[]][] = [
  [ESSAY_STATUS.draft, ESSAY_STATUS.waiting, ['author', 'editor']],
  [ESSAY_STATUS.rejected, ESSAY_STATUS.waiting, ['author', 'editor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.draft, ['author', 'editor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.rejected, ['auditor']],
  [ESSAY_STATUS.waiting, ESSAY_STATUS.onShelf, ['auditor']],
];

function actorsOf(viewer: Viewer | 'clock', essay: EssayRow): Actor[] {
  if (viewer === 'clock') return ['clock'];
  return [
    ...(isAuthor(viewer, essay) ? ['author' as const] : []),
    ...(canAudit(viewer) ? ['auditor' as const] : []),
    ...(canOperate(viewer) ? ['operator' as const] : []),
    ...(canEdit(viewer, essay) ? ['editor' as const] : []),
  ];
}

/** Returns the role in which the viewer makes this change, or null if the status does not allow it. */
export function actorFor(
  viewer: Viewer | 'clock',
  essay: EssayRow,
  to: EssayStatus,
  isRevision: boolean,
): Actor | 'forbidden' | null {
  const from = isRevision ? essay.revisionStatus : essay.status;
  const table: [EssayStatus | RevisionStatus, EssayStatus, Actor[]][] = isRevision
    ? revisionTransitions
    : transitions;
  const found = table.find((each) => each[0] === from && each[1] === to);
  if (found === undefined) return null;
  const actor = actorsOf(viewer, essay).find((each) => found[2].includes(each));
  if (actor === undefined) return 'forbidden';
  // An essay that staff took off the shelf can be put back by operators only.
  if (from === ESSAY_STATUS.offShelf && to === ESSAY_STATUS.onShelf && actor === 'author' && essay.offByStaff)
    return canOperate(viewer === 'clock' ? null : viewer) ? 'operator' : 'forbidden';
  return actor;
}

export const needsReason = (actor: Actor, to: EssayStatus): boolean =>
  to === ESSAY_STATUS.rejected || (to === ESSAY_STATUS.offShelf && actor === 'operator');
