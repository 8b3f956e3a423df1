import type { EssayFields, EssaySource } from '@mozhan/contract/essays.ts';

/** All that is being written: the text and everything of the publish drawer. */
export type Draft = EssayFields;
export type FieldName = keyof Draft;

export const emptyDraft: Draft = {
  title: '',
  content: '',
  categoryId: null,
  summary: '',
  tags: [],
  cover: '',
  price: 0,
  memberFree: false,
  previewPercent: 30,
  allowComment: true,
  declaration: 'none',
  source: '',
  columnId: null,
  attachments: [],
  scheduledAt: null,
};

export const fieldNames = Object.keys(emptyDraft) as FieldName[];

export const fieldLabels: Record<FieldName, string> = {
  title: '标题',
  content: '正文',
  categoryId: '分类',
  summary: '摘要',
  tags: '标签',
  cover: '封面',
  price: '价格',
  memberFree: '会员免费',
  previewPercent: '试读比例',
  allowComment: '允许评论',
  declaration: '创作声明',
  source: '原文地址',
  columnId: '专栏',
  attachments: '附件',
  scheduledAt: '上架时间',
};

const pick = (from: Draft, names: readonly FieldName[]): Partial<Draft> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

/** What the server sent, without what is not the author's to set. */
export const toDraft = (source: EssaySource): Draft => ({ ...emptyDraft, ...pick(source, fieldNames) });

/** Fields are texts, numbers and lists of ids: equal when they read the same. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && Array.isArray(other) && one.join('\n') === other.join('\n'));

export const differing = (one: Draft, other: Draft): FieldName[] =>
  fieldNames.filter((name) => !isSame(one[name], other[name]));

/** What of `mine` the server does not have. */
export const changesOf = (base: Draft, mine: Draft): Partial<Draft> => pick(mine, differing(base, mine));

export const isBlank = ({ title, content }: Draft): boolean => title.trim() === '' && content.trim() === '';

export interface Merge {
  merged: Draft;
  /** Changed here and there, and not to the same: somebody has to choose. */
  clashes: FieldName[];
}

/** Each field from whoever changed it; mine where both did. */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): Merge {
  const byMe = differing(base, mine);
  const differ = new Set(differing(mine, theirs));
  const byThem = new Set(differing(base, theirs));
  return {
    merged: { ...theirs, ...pick(mine, byMe) },
    clashes: byMe.filter((name) => differ.has(name) && byThem.has(name)),
  };
}
