import type { EssayFields, EssaySource } from '@mozhan/contract/essays.ts';

export type Draft = EssayFields;
export type FieldName = keyof Draft;

export const emptyDraft: Draft = {
  title: '',
  content: '',
  categoryId: null,
  summary: '',
  tags: [],
  cover: '',
  shareCover: '',
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
  shareCover: '分享卡片',
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

/** Keeps only the fields that the author can set. */
export const toDraft = (source: EssaySource): Draft => ({ ...emptyDraft, ...pick(source, fieldNames) });

/** Lists contain texts without line breaks, so joining them compares them. */
const isEqualField = (one: unknown, other: unknown): boolean =>
  one === other || (Array.isArray(one) && Array.isArray(other) && one.join('\n') === other.join('\n'));

export const differingFields = (one: Draft, other: Draft): FieldName[] =>
  fieldNames.filter((name) => !isEqualField(one[name], other[name]));

/** The fields of `mine` that the server does not have. */
export const changesOf = (base: Draft, mine: Draft): Partial<Draft> =>
  pick(mine, differingFields(base, mine));

export const isBlankDraft = ({ title, content }: Draft): boolean =>
  title.trim() === '' && content.trim() === '';

export interface MergeResult {
  merged: Draft;
  /** Fields that both sides changed to different values, so that the author has to choose. */
  conflicts: FieldName[];
}

/** Takes each field from the side that changed it, and `mine` where both did. */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): MergeResult {
  const byMe = differingFields(base, mine);
  const differ = new Set(differingFields(mine, theirs));
  const byThem = new Set(differingFields(base, theirs));
  return {
    merged: { ...theirs, ...pick(mine, byMe) },
    conflicts: byMe.filter((name) => differ.has(name) && byThem.has(name)),
  };
}
