import type { BulkResult, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { useBatchReport } from '#admin/lib/batch.tsx';
import type { FieldList, Option } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import { ColumnInput, NO_COLUMN } from './column-input.tsx';
import { TagsInput } from './tags-input.tsx';

/** Must equal `MAX_BULK_ESSAYS` of the contract, whose file would bring the schemas into this bundle. */
const MAX_PER_CALL = 50;
const MAX_REMOVED_TAGS = 20;

interface Values {
  categoryId?: string;
  authorId?: string;
  columnId?: string;
  addTags: string[];
  removeTags: string[];
  charge?: 'free' | 'paid';
  price: number;
  memberFree?: 'yes' | 'no';
}

const EMPTY: Values = { addTags: [], removeTags: [], price: 990 };

const charges: Option[] = [
  { value: 'free', label: '不单篇出售' },
  { value: 'paid', label: '单篇出售' },
];
const memberships: Option[] = [
  { value: 'yes', label: '会员免费' },
  { value: 'no', label: '会员不免费' },
];

const fieldsOf =
  (categories: readonly Option[], authorId: string | undefined) =>
  (values: Values): FieldList<Values> => [
    { name: 'categoryId', kind: 'select', label: '分类', options: categories, placeholder: '不改' },
    {
      name: 'authorId',
      kind: 'own',
      label: '作者',
      help: '只影响以后的收益：已有的订单和收益仍归原作者。原作者不能再编辑，文章也会离开原作者的专栏；两位作者都会收到通知。',
      control: <UserFilter label="不改" block />,
    },
    {
      name: 'columnId',
      kind: 'own',
      label: '专栏',
      help:
        authorId === undefined && values.authorId === undefined
          ? '所选文章的作者不同：先选作者，才能选他的专栏'
          : undefined,
      control: <ColumnInput authorId={authorId} />,
    },
    {
      name: 'addTags',
      kind: 'own',
      label: '增加标签',
      help: '加上后每篇最多 5 个',
      control: <TagsInput placeholder="不改" />,
    },
    {
      name: 'removeTags',
      kind: 'own',
      label: '移除标签',
      control: <TagsInput maxCount={MAX_REMOVED_TAGS} placeholder="不改" />,
    },
    {
      name: 'charge',
      kind: 'select',
      label: '单篇出售',
      options: charges,
      placeholder: '不改',
      help: '只影响以后的购买：已下的订单按原价，买过的读者照常可读',
    },
    values.charge === 'paid' && { name: 'price', kind: 'money', label: '价格', min: 100, max: 100_000 },
    { name: 'memberFree', kind: 'select', label: '会员', options: memberships, placeholder: '不改' },
  ];

const toChange = (values: Values) => ({
  ...(values.categoryId && { categoryId: values.categoryId }),
  ...(values.authorId && { authorId: values.authorId }),
  ...(values.columnId && { columnId: values.columnId === NO_COLUMN ? null : values.columnId }),
  ...(values.addTags.length > 0 && { addTags: values.addTags }),
  ...(values.removeTags.length > 0 && { removeTags: values.removeTags }),
  ...(values.charge && { price: values.charge === 'paid' ? values.price : 0 }),
  ...(values.memberFree && { memberFree: values.memberFree === 'yes' }),
});

function BulkForm(props: PanelProps<StaffEssay> & { categories: readonly Option[] }) {
  const { subject, categories, nameOf, onClose, onRemaining } = props;
  const { api } = useApp();
  const report = useBatchReport();
  const { displayed: rows } = useLastOpened(subject !== undefined, props.rows);
  const authors = new Set(rows.map(({ author }) => author.id));
  const authorId = authors.size === 1 ? rows[0]?.author.id : undefined;

  async function submit(values: Values): Promise<void> {
    const change = toChange(values);
    const results: BulkResult[] = [];
    for (let from = 0; from < rows.length; from += MAX_PER_CALL) {
      const ids = rows.slice(from, from + MAX_PER_CALL).map(({ id }) => id);
      results.push(...(await api('PUT core/sys/essay/bulk', { ids, ...change })));
    }
    const errors = new Map(results.flatMap(({ id, error }) => (error === null ? [] : [[id, error]])));
    const failed = rows.filter(({ id }) => errors.has(id));
    report({
      verb: '修改',
      done: rows.length - failed.length,
      failures: failed.map((row) => ({ name: nameOf(row), reason: errors.get(row.id) ?? '' })),
    });
    onRemaining(failed);
  }

  return (
    <FormModal<Values>
      title={`批量修改 ${rows.length} 篇文章`}
      intro={<p>只改填了的几项，其余不动。每篇各自生效，改不了的会列出原因；作者会收到通知。</p>}
      action="修改"
      open={subject !== undefined}
      onClose={onClose}
      values={EMPTY}
      fields={fieldsOf(categories, authorId)}
      submit={submit}
    />
  );
}

/** Changes category, author, column, tags and price of the selected essays. */
export const bulkForm = (categories: readonly Option[]) => (props: PanelProps<StaffEssay>) => (
  <BulkForm {...props} categories={categories} />
);
