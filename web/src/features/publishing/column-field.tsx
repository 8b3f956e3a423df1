import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';

const NEW_COLUMN = 'new';

interface ColumnFieldProps {
  columnId: string | null;
  error: string | undefined;
  /** Whose columns staff choose from; undefined for the user's own. */
  authorId: string | undefined;
  onChange: (columnId: string | null) => void;
}

export function ColumnField({ columnId, error, authorId, onChange }: ColumnFieldProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = callQuery(api, 'GET core/essay/column', { authorId, pageSize: 50 });
  const { data } = useQuery(query);
  const [isCreating, setCreating] = useState(false);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const columns = data !== undefined && 'list' in data ? data.list : [];
  const options = [
    { value: '', label: '不放进专栏' },
    ...columns.map((column) => ({ value: column.id, label: `${column.name}（${column.essayCount} 篇）` })),
    ...(authorId === undefined ? [{ value: NEW_COLUMN, label: '新建专栏…' }] : []),
  ];

  async function createColumn(): Promise<void> {
    if (name.trim() === '') return setProblem('请写一个名称');
    try {
      const { id } = await api('POST core/essay/column', { name });
      await queryClient.invalidateQueries({ queryKey: query.queryKey });
      setCreating(false);
      setName('');
      setProblem('');
      onChange(id);
    } catch (thrown) {
      setProblem(errorMessageOf(thrown));
    }
  }

  return (
    <div className="stack gap-1-5">
      <SelectField
        name="columnId"
        label="专栏"
        options={options}
        value={isCreating ? NEW_COLUMN : (columnId ?? '')}
        error={error}
        onChange={({ target: { value } }) => {
          setCreating(value === NEW_COLUMN);
          if (value !== NEW_COLUMN) onChange(value || null);
        }}
      />
      {isCreating ? (
        <>
          <Field
            name="columnName"
            label="新专栏的名称"
            maxLength={40}
            value={name}
            error={problem}
            onChange={({ target }) => setName(target.value)}
          />
          <div className="row gap-2">
            <Button size="small" onClick={createColumn}>
              建立
            </Button>
            <Button variant="ghost" size="small" onClick={() => setCreating(false)}>
              取消
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}
