import { PlusOutlined } from '@ant-design/icons';
import type { Dict, DictItem } from '@mozhan/contract/dicts.ts';
import type { Flag } from '@mozhan/contract/enums.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { moved } from '#admin/lib/order.ts';
import { call, useAct } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { BatchButtons } from '#admin/ui/batch-buttons.tsx';
import { Can } from '#admin/ui/can.tsx';
import { useConfirmRemove } from '#admin/ui/confirm.ts';
import { enabledText } from '#admin/ui/enabled-tag.tsx';
import { RowActions } from '#admin/ui/row-actions.tsx';
import { enabledColumn, sortColumn } from '#admin/ui/row-columns.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import { enabledFilter, WholeTable } from '#admin/ui/whole-table.tsx';
import styles from './dict.module.css';
import { ItemForm } from './item-form.tsx';

interface ItemsProps {
  dict: Dict;
  onEdit: () => void;
}

const filters = [enabledFilter<DictItem>()];
/** Which dictionary it is stays in the address. */
const PLACE = ['dict'];

/** What is in a dictionary, in order. */
export function Items({ dict, onEdit }: ItemsProps) {
  const { api } = useApp();
  const can = useCan();
  const act = useAct();
  const confirmRemove = useConfirmRemove();
  const [subject, setSubject] = useState<DictItem | 'new'>();
  const { data, error, isFetching, refetch } = useQuery(
    call(api, 'GET core/sys/dict/item/', { dictId: dict.id }),
  );
  const rows = Array.isArray(data) ? data : undefined;
  const mayUpdate = can('dict:update');

  const setEnabled = (row: DictItem, enabled: Flag) =>
    act(
      (api) => api('PUT core/sys/dict/item/', { id: row.id, enabled }),
      `已${enabledText(enabled)}「${row.item}」`,
    );

  const move = (row: DictItem, by: -1 | 1) =>
    act(async (api) => {
      for (const change of moved(rows ?? [], row.id, by)) await api('PUT core/sys/dict/item/', change);
    }, '已调整顺序');

  const removeDict = () =>
    void confirmRemove({
      kind: '字典',
      name: dict.name,
      text: '有条目的字典不能删除；删除后，用到它的地方取不到选项。',
      work: (api) => api('DELETE core/sys/dict/', { id: dict.id }),
    });

  const columns: Column<DictItem>[] = [
    { key: 'item', title: '文字', text: (row) => row.item },
    { key: 'value', title: '值', text: (row) => row.value, show: (row) => <code>{row.value}</code> },
    sortColumn({ nameOf: (row) => row.item, mayUpdate, siblingsOf: () => rows, move }),
    enabledColumn({ nameOf: (row) => row.item, mayUpdate, setEnabled }),
  ];

  return (
    <>
      <WholeTable<DictItem>
        name="dict-item"
        title="条目"
        keyword="搜索文字或值"
        filters={filters}
        place={PLACE}
        columns={columns}
        rows={rows}
        busy={isFetching}
        error={error}
        onRefresh={() => void refetch()}
        lead={
          <div className={styles.which}>
            <h2>{dict.name}</h2>
            <RowActions
              name={dict.name}
              actions={[
                mayUpdate && { label: '编辑', onClick: onEdit },
                can('dict:remove') && { label: '删除', danger: true, onClick: removeDict },
              ]}
            />
          </div>
        }
        extra={
          <Can permission="dict:create">
            <Button icon={<PlusOutlined aria-hidden />} onClick={() => setSubject('new')}>
              新建条目
            </Button>
          </Can>
        }
        batch={(rows, choose) => (
          <BatchButtons
            kind="条目"
            rows={rows}
            choose={choose}
            nameOf={(row) => row.item}
            setEnabled={
              mayUpdate
                ? (api, { id }, enabled) => api('PUT core/sys/dict/item/', { id, enabled })
                : undefined
            }
            remove={
              can('dict:remove') ? (api, { id }) => api('DELETE core/sys/dict/item/', { id }) : undefined
            }
          />
        )}
        actions={(row) => (
          <RowActions
            name={row.item}
            actions={[
              mayUpdate && { label: '编辑', onClick: () => setSubject(row) },
              can('dict:remove') && {
                label: '删除',
                danger: true,
                onClick: () =>
                  void confirmRemove({
                    kind: '条目',
                    name: row.item,
                    work: (api) => api('DELETE core/sys/dict/item/', { id: row.id }),
                  }),
              },
            ]}
          />
        )}
      />
      <ItemForm dictId={dict.id} subject={subject} onClose={() => setSubject(undefined)} />
    </>
  );
}
