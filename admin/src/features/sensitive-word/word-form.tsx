import type { Flag } from '@mozhan/contract/enums.ts';
import type { Word, WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { levelChoices } from './levels.tsx';

interface Values {
  word: string;
  level: WordLevel;
  note: string;
  enabled: Flag;
}

interface WordFormProps {
  subject: Word | 'new' | undefined;
  onClose: () => void;
}

export function WordForm({ subject, onClose }: WordFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const row = subject === 'new' ? undefined : subject;
  return (
    <FormModal<Values>
      title={row === undefined ? '添加敏感词' : `编辑敏感词「${row.word}」`}
      open={subject !== undefined}
      onClose={onClose}
      values={{
        word: row?.word ?? '',
        level: row?.level ?? 'hold',
        note: row?.note ?? '',
        enabled: row?.enabled ?? 1,
      }}
      fields={[
        {
          name: 'word',
          kind: 'text',
          label: '敏感词',
          required: true,
          maxLength: 50,
          help: '大小写、全半角、繁简不分；中文词之间夹的空格、标点也找得到，英文按整词',
        },
        { name: 'level', kind: 'choice', label: '级别', options: levelChoices },
        { name: 'note', kind: 'text', label: '备注', maxLength: 100 },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ]}
      submit={async (values) => {
        if (row === undefined) await api('POST core/sys/word/', values);
        else await api('PUT core/sys/word/', { id: row.id, ...values });
        message.success(row === undefined ? `已添加「${values.word}」` : '已保存');
      }}
      codes={{ WORD_TAKEN: 'word' }}
    />
  );
}
