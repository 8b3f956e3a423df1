import { FLAG } from '@mozhan/contract/enums.ts';
import type { NavEntry, Navigation } from '@mozhan/contract/navigation.ts';
import { addMissingScheme, hasWebScheme, WEB_ADDRESS_MESSAGE } from '@mozhan/contract/web-address.ts';
import type { FieldList } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { type EntryValues, kindNames, routeNames, toEntry, toValues } from './entries.ts';

interface EntryFormProps {
  /** Undefined while closed. */
  subject: NavEntry | 'new' | undefined;
  targets: Navigation;
  onClose: () => void;
  onSubmit: (entry: NavEntry) => void;
}

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const isAddress = async (_: unknown, text: string): Promise<void> => {
  if (!hasWebScheme(addMissingScheme(text))) throw new Error(WEB_ADDRESS_MESSAGE);
};

function fieldsOf({ kind }: EntryValues, { categories, pages }: Navigation): FieldList<EntryValues> {
  return [
    { name: 'kind', kind: 'choice', label: '类型', options: optionsOf(kindNames) },
    kind === 'page' && {
      name: 'page',
      kind: 'select',
      label: '页面',
      required: true,
      options: pages.map(({ page, title, published }) => ({
        value: page,
        label: published === FLAG.on ? title : `${title}（草稿）`,
      })),
    },
    kind === 'category' && {
      name: 'categoryId',
      kind: 'select',
      label: '分类',
      required: true,
      options: categories.map(({ id, name, enabled }) => ({
        value: id,
        label: enabled === FLAG.on ? name : `${name}（停用）`,
      })),
    },
    kind === 'route' && {
      name: 'route',
      kind: 'select',
      label: '栏目',
      required: true,
      options: optionsOf(routeNames),
    },
    kind === 'link' && {
      name: 'url',
      kind: 'text',
      label: '网址',
      required: true,
      maxLength: 500,
      placeholder: 'https://example.com',
      help: '在新的标签页里打开',
      rules: [{ validator: isAddress }],
    },
    {
      name: 'label',
      kind: 'text',
      label: '文字',
      required: kind === 'link',
      maxLength: 20,
      ...(kind !== 'link' && { help: '留空则用它自己的名称' }),
    },
    { name: 'enabled', kind: 'flag', label: '启用' },
  ];
}

export const EntryForm = ({ subject, targets, onClose, onSubmit }: EntryFormProps) => (
  <FormModal<EntryValues>
    title={subject === 'new' ? '添加一项' : '编辑一项'}
    open={subject !== undefined}
    onClose={onClose}
    values={toValues(subject === 'new' ? undefined : subject)}
    fields={(values) => fieldsOf(values, targets)}
    action="确定"
    submit={async (values) => onSubmit(toEntry({ ...values, url: addMissingScheme(values.url) }))}
  />
);
