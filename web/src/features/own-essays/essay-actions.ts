import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus, ListedEssay } from '@mozhan/contract/essays.ts';

/** An action of an author on an own essay; `to` is the resulting status. */
export interface EssayAction {
  label: string;
  to: EssayStatus;
  /** Applies to the revision of an essay on the shelf. */
  revision?: true;
  confirmText?: string;
  doneMessage: string;
}

const withdraw: EssayAction = { label: '撤回', to: ESSAY_STATUS.draft, doneMessage: '已撤回，可以继续修改' };

const readyForShelf: readonly EssayAction[] = [
  { label: '上架', to: ESSAY_STATUS.onShelf, doneMessage: '已上架' },
  {
    label: '取回修改',
    to: ESSAY_STATUS.draft,
    confirmText: '取回以后会回到草稿，修改完要重新提交审核。',
    doneMessage: '已回到草稿',
  },
];

const actionsByStatus: Record<EssayStatus, readonly EssayAction[]> = {
  [ESSAY_STATUS.draft]: [],
  [ESSAY_STATUS.waiting]: [withdraw],
  [ESSAY_STATUS.approved]: readyForShelf,
  [ESSAY_STATUS.onShelf]: [
    {
      label: '下架',
      to: ESSAY_STATUS.offShelf,
      confirmText: '下架以后读者就看不到它了，可以随时再上架。',
      doneMessage: '已下架',
    },
  ],
  [ESSAY_STATUS.offShelf]: readyForShelf,
  [ESSAY_STATUS.rejected]: [],
};

const withdrawRevision: EssayAction = {
  label: '撤回修订',
  to: ESSAY_STATUS.draft,
  revision: true,
  doneMessage: '修订已撤回，可以继续修改',
};

export const essayActionsOf = ({
  status,
  revision,
}: Pick<ListedEssay, 'status' | 'revision'>): readonly EssayAction[] =>
  revision === ESSAY_STATUS.waiting
    ? [withdrawRevision, ...actionsByStatus[status]]
    : actionsByStatus[status];

/** Drafts and rejected essays, and essays on the shelf whose revision is not being audited. */
export const canEditEssay = ({ status, revision }: Pick<ListedEssay, 'status' | 'revision'>): boolean =>
  status === ESSAY_STATUS.draft ||
  status === ESSAY_STATUS.rejected ||
  (status === ESSAY_STATUS.onShelf && revision !== ESSAY_STATUS.waiting);
