import { useQuery } from '@tanstack/react-query';
import { Form, Select } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';

/** Value of the option that takes essays out of their column. */
export const NO_COLUMN = 'none';

/** An author has at most 50 columns. */
const MAX_COLUMNS = 50;

interface ColumnInputProps {
  /** The author of all essays; undefined if they have several. */
  authorId: string | undefined;
  /** Set by the form. */
  id?: string;
  value?: string;
  onChange?: (value: string | undefined) => void;
}

/** Selects a column of the author that the form's field `authorId` names, or of the present author. */
export function ColumnInput({ authorId, ...props }: ColumnInputProps) {
  const { api } = useApp();
  const form = Form.useFormInstance();
  const chosen: string | undefined = Form.useWatch('authorId', form);
  const owner = chosen ?? authorId;
  const { data } = useQuery({
    ...call(api, 'GET core/essay/column', { authorId: owner ?? '', pageSize: MAX_COLUMNS }),
    enabled: owner !== undefined,
  });
  const columns = data !== undefined && 'list' in data ? data.list : [];
  return (
    <Select
      {...props}
      allowClear
      placeholder="不改"
      showSearch={{ optionFilterProp: 'label' }}
      options={[
        { value: NO_COLUMN, label: '移出专栏' },
        ...columns.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
