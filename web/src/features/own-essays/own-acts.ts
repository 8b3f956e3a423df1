import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus, ListedEssay } from '@mozhan/contract/essays.ts';

/** What an author can do with an essay of theirs; `to` is the state it leads to. */
export interface Act {
  label: string;
  to: EssayStatus;
  /** Of what was changed in an essay on the shelf. */
  revision?: true;
  /** Asked before it is done. */
  question?: string;
  done: string;
}

const withdraw: Act = { label: '撤回', to: ESSAY_STATUS.draft, done: '已撤回，可以继续修改' };

const readyForShelf: readonly Act[] = [
  { label: '上架', to: ESSAY_STATUS.onShelf, done: '已上架' },
  {
    label: '取回修改',
    to: ESSAY_STATUS.draft,
    question: '取回以后会回到草稿，修改完要重新提交审核。',
    done: '已回到草稿',
  },
];

const acts: Record<EssayStatus, readonly Act[]> = {
  [ESSAY_STATUS.draft]: [],
  [ESSAY_STATUS.waiting]: [withdraw],
  [ESSAY_STATUS.approved]: readyForShelf,
  [ESSAY_STATUS.onShelf]: [
    {
      label: '下架',
      to: ESSAY_STATUS.offShelf,
      question: '下架以后读者就看不到它了，可以随时再上架。',
      done: '已下架',
    },
  ],
  [ESSAY_STATUS.offShelf]: readyForShelf,
  [ESSAY_STATUS.rejected]: [],
};

const withdrawRevision: Act = {
  label: '撤回修订',
  to: ESSAY_STATUS.draft,
  revision: true,
  done: '修订已撤回，可以继续修改',
};

export const actsOf = ({ status, revision }: Pick<ListedEssay, 'status' | 'revision'>): readonly Act[] =>
  revision === ESSAY_STATUS.waiting ? [withdrawRevision, ...acts[status]] : acts[status];

/** Drafts and what was refused, and on-shelf essays whose last changes are not with the auditors. */
export const canEdit = ({ status, revision }: Pick<ListedEssay, 'status' | 'revision'>): boolean =>
  status === ESSAY_STATUS.draft ||
  status === ESSAY_STATUS.rejected ||
  (status === ESSAY_STATUS.onShelf && revision !== ESSAY_STATUS.waiting);
