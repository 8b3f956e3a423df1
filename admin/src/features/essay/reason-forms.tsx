import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { reasonField } from '#admin/ui/reason-field.tsx';
import type { Row } from '#admin/ui/row-actions.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';

const common = { help: '作者会收到这段话', dict: 'off-shelf-reason' };

/** Takes essays off the shelf and notifies their authors of the reason. */
export const offShelfForm = <T extends Row>(essayOf: (row: T) => Pick<StaffEssay, 'id' | 'title'>) =>
  rowForm({
    title: (row: T, { length }) => (length > 1 ? `下架这 ${length} 篇文章` : `下架「${essayOf(row).title}」`),
    action: '下架',
    danger: (_, { length }) => length > 1,
    values: { reason: '' },
    fields: [reasonField({ ...common, label: '下架理由', max: 500 })],
    run: (api, row, { reason }) =>
      api('PUT core/essay/status', { id: essayOf(row).id, status: ESSAY_STATUS.offShelf, reason }),
    done: (row) => `已下架「${essayOf(row).title}」`,
    codes: { REASON_REQUIRED: 'reason' },
  });

export const removeForm = rowForm({
  title: ({ title }: StaffEssay, { length }) => (length > 1 ? `删除这 ${length} 篇文章` : `删除「${title}」`),
  intro: (_, { length }) => (
    <p>
      {length > 1
        ? '删除后不能恢复，读者打开它们的地址会看到「已删除」。有人买过的不能删除。'
        : '删除后不能恢复，读者打开它的地址会看到「已删除」。只是不想让人看到，可以下架。'}
    </p>
  ),
  danger: (_, { length }) => length > 1,
  values: { reason: '' },
  fields: [reasonField({ ...common, label: '删除理由', max: 200 })],
  run: (api, { id }, { reason }) => api('DELETE core/essay/{id}', { id, reason }),
  done: ({ title }) => `已删除「${title}」`,
});
