import type { EssayStatus, ListedEssay } from '#contract/essays.ts';

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

const withdraw: Act = { label: '撤回', to: 0, done: '已撤回，可以继续修改' };

const acts: Record<EssayStatus, readonly Act[]> = {
  0: [],
  1: [withdraw],
  2: [
    { label: '上架', to: 3, done: '已上架' },
    {
      label: '取回修改',
      to: 0,
      question: '取回以后会回到草稿，修改完要重新提交审核。',
      done: '已回到草稿',
    },
  ],
  3: [{ label: '下架', to: 4, question: '下架以后读者就看不到它了，可以随时再上架。', done: '已下架' }],
  4: [
    { label: '上架', to: 3, done: '已上架' },
    {
      label: '取回修改',
      to: 0,
      question: '取回以后会回到草稿，修改完要重新提交审核。',
      done: '已回到草稿',
    },
  ],
  5: [],
};

const withdrawRevision: Act = { label: '撤回修订', to: 0, revision: true, done: '修订已撤回，可以继续修改' };

export const actsOf = ({ status, revision }: Pick<ListedEssay, 'status' | 'revision'>): readonly Act[] =>
  revision === 1 ? [withdrawRevision, ...acts[status]] : acts[status];

/** Drafts and what was refused, and on-shelf essays whose last changes are not with the auditors. */
export const canEdit = ({ status, revision }: Pick<ListedEssay, 'status' | 'revision'>): boolean =>
  status === 0 || status === 5 || (status === 3 && revision !== 1);
