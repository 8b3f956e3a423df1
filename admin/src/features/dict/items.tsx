import type { Dict } from '@mozhan/contract/dicts.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { Flex } from 'antd';
import { useCan } from '#admin/lib/viewer.ts';
import { ActionButtons } from '#admin/ui/action-buttons.tsx';
import { code, text } from '#admin/ui/columns.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { unpaged } from '#admin/ui/lists.ts';
import { ResourceTable } from '#admin/ui/resource-screen.tsx';

interface DictItemsProps {
  dict: Dict;
  onEdit: () => void;
}

function Heading({ dict, onEdit }: DictItemsProps) {
  const can = useCan();
  const confirmRemove = useConfirmRemove();
  const remove = () =>
    void confirmRemove({
      kind: '字典',
      name: dict.name,
      text: '有条目的字典不能删除；删除后，用到它的地方取不到选项。',
      work: (api) => api('DELETE core/sys/dict/', { id: dict.id }),
    });
  return (
    <Flex wrap gap="4px 12px" align="center">
      <h2>{dict.name}</h2>
      <ActionButtons
        name={dict.name}
        actions={[
          can('dict:update') && { label: '编辑', onClick: onEdit },
          can('dict:remove') && { label: '删除', danger: true, onClick: remove },
        ]}
      />
    </Flex>
  );
}

export const DictItems = ({ dict, onEdit }: DictItemsProps) => (
  <ResourceTable
    name="dict-item"
    noun="条目"
    list={unpaged('GET core/sys/dict/item/', { dictId: dict.id })}
    columns={[text('item', '文字'), code('value', '值'), 'order', 'enabled']}
    keyword="搜索文字或值"
    filters={[enabledFilter]}
    lead={<Heading dict={dict} onEdit={onEdit} />}
    form={{
      values: (row) => ({
        item: row?.item ?? '',
        value: row?.value ?? '',
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: [
        { name: 'item', kind: 'text', label: '文字', required: true, maxLength: 100, help: '人们看到的' },
        { name: 'value', kind: 'text', label: '值', required: true, maxLength: 50, help: '存下来的' },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ],
      codes: { DICT_VALUE_TAKEN: 'value' },
    }}
    create={{
      permission: 'dict:create',
      run: (api, values) => api('POST core/sys/dict/item/', { dictId: dict.id, ...values }),
      done: ({ item }) => `已新建条目「${item}」`,
    }}
    update={{ permission: 'dict:update', run: (api, change) => api('PUT core/sys/dict/item/', change) }}
    remove={{
      permission: 'dict:remove',
      run: (api, { id }) => api('DELETE core/sys/dict/item/', { id }),
    }}
  />
);
