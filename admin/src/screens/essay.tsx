import { ESSAY_STATUS, FLAG } from '@mozhan/contract/enums.ts';
import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useQuery } from '@tanstack/react-query';
import { bulkForm } from '#admin/features/essay/bulk-form.tsx';
import { categorizeForm } from '#admin/features/essay/categorize-form.tsx';
import { essayColumns } from '#admin/features/essay/columns.tsx';
import { essayFilters } from '#admin/features/essay/filters.tsx';
import { pinForm } from '#admin/features/essay/pin-form.tsx';
import { offShelfForm, removeForm } from '#admin/features/essay/reason-forms.tsx';
import { RecordsDrawer } from '#admin/features/essay/records-drawer.tsx';
import { WriteForAuthor } from '#admin/features/essay/write-for-author.tsx';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';

const canShelve = ({ status }: StaffEssay): boolean =>
  status === ESSAY_STATUS.approved || status === ESSAY_STATUS.offShelf;
const isOnShelf = ({ status }: StaffEssay): boolean => status === ESSAY_STATUS.onShelf;
const isWaiting = ({ status, revision }: StaffEssay): boolean =>
  status === ESSAY_STATUS.waiting || revision === ESSAY_STATUS.waiting;
const isPinned = ({ pinned }: StaffEssay): boolean => pinned;
const canPin = (row: StaffEssay): boolean => isOnShelf(row) && !row.pinned;
/** An essay whose revision waits for the audit must not change. */
const canCategorize = (row: StaffEssay): boolean => isOnShelf(row) && (row.revision ?? 0) === 0;

/** What is under audit must not change. */
const canChange = (row: StaffEssay): boolean =>
  row.status !== ESSAY_STATUS.waiting && (row.revision ?? ESSAY_STATUS.draft) === ESSAY_STATUS.draft;

export function Page() {
  const { api } = useApp();
  const found = useQuery(call(api, 'GET core/sys/category/')).data;
  const categories = Array.isArray(found)
    ? found.map(({ id, name, enabled }) => ({ value: id, label: name, disabled: enabled === FLAG.off }))
    : [];
  return (
    <ResourceScreen
      name="essay"
      title="文章"
      intro="全部文章，新近改动的在前；点列名可以按阅读、点赞等排序"
      actions={<WriteForAuthor />}
      list={paged('GET core/sys/essay/')}
      nameOf={({ title }) => title}
      columns={essayColumns}
      keyword="搜索标题"
      keywordMax={100}
      filters={essayFilters(categories.map(({ value, label }) => ({ value, label })))}
      rowActions={[
        { label: '审核', permission: 'essay:audit', when: isWaiting, to: ({ id }) => `/audit?id=${id}` },
        {
          label: '上架',
          permission: 'essay:update',
          when: canShelve,
          ask: ({ title }) => ({ title: `上架「${title}」？`, text: '读者马上就能看到它。' }),
          run: (api, { id }) => api('PUT core/essay/status', { id, status: ESSAY_STATUS.onShelf }),
          bulk: {
            label: ({ length }) => `上架 ${length} 篇`,
            ask: ({ length }) => ({ title: `上架这 ${length} 篇文章？`, text: '读者马上就能看到它们。' }),
          },
        },
        {
          label: '下架',
          permission: 'essay:update',
          when: isOnShelf,
          panel: offShelfForm((essay) => essay),
          bulk: { label: ({ length }) => `下架 ${length} 篇` },
        },
        { label: '记录', panel: (props) => <RecordsDrawer {...props} /> },
        {
          label: '代作者编辑',
          permission: 'essay:edit',
          site: ({ id }) => `/essay/edit.html?id=${id}`,
        },
        {
          label: '分类、标签与网址',
          permission: 'essay:update',
          when: canCategorize,
          panel: categorizeForm(categories),
        },
        {
          label: '批量修改',
          permission: 'essay:bulk',
          bulkOnly: true,
          when: canChange,
          panel: bulkForm(categories),
          bulk: { label: ({ length }) => `批量修改 ${length} 篇` },
        },
        { label: '首页置顶', permission: 'essay:pin', when: canPin, panel: pinForm },
        { label: '调整置顶位置', permission: 'essay:pin', when: isPinned, panel: pinForm },
        {
          label: '取消首页置顶',
          permission: 'essay:pin',
          when: isPinned,
          run: (api, { id }) => api('PUT core/sys/essay/pin', { id, pinned: false }),
          done: '已取消首页置顶',
        },
        {
          label: '评论',
          permission: 'comment:list',
          when: ({ cmtCount }) => cmtCount > 0,
          to: ({ id }) => `/comment?essayId=${id}`,
        },
        { label: '删除', permission: 'essay:remove', danger: true, panel: removeForm, bulk: true },
      ]}
    />
  );
}
