import { messageOf } from '@mozhan/client/errors.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';

const NEW = 'new';

interface ColumnFieldProps {
  columnId: string | null;
  error: string | undefined;
  onChange: (columnId: string | null) => void;
}

/** One of the author's columns, or a new one made on the spot. */
export function ColumnField({ columnId, error, onChange }: ColumnFieldProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const query = call(api, 'GET core/essay/column', { pageSize: 50 });
  const { data } = useQuery(query);
  const [making, setMaking] = useState(false);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const columns = data !== undefined && 'list' in data ? data.list : [];
  const options = [
    { value: '', label: '不放进专栏' },
    ...columns.map((column) => ({ value: column.id, label: `${column.name}（${column.essayCount} 篇）` })),
    { value: NEW, label: '新建专栏…' },
  ];

  async function make(): Promise<void> {
    if (name.trim() === '') return setProblem('请写一个名称');
    try {
      const { id } = await api('POST core/essay/column', { name });
      await queryClient.invalidateQueries({ queryKey: query.queryKey });
      setMaking(false);
      setName('');
      setProblem('');
      onChange(id);
    } catch (thrown) {
      setProblem(messageOf(thrown));
    }
  }

  return (
    <div className="stack gap-1-5">
      <SelectField
        name="columnId"
        label="专栏"
        options={options}
        value={making ? NEW : (columnId ?? '')}
        error={error}
        onChange={({ target: { value } }) => {
          setMaking(value === NEW);
          if (value !== NEW) onChange(value || null);
        }}
      />
      {making ? (
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
            <Button size="small" onClick={make}>
              建立
            </Button>
            <Button look="ghost" size="small" onClick={() => setMaking(false)}>
              取消
            </Button>
          </div>
        </>
      ) : null}
    </div>
  );
}
