import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import { App, Select } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import type { Option } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { useTagOptions } from './tag-filter.tsx';

const MOST_TAGS = 5;

interface TagsInputProps {
  /** These come from the form. */
  id?: string;
  value?: string[];
  onChange?: (value: string[]) => void;
}

function TagsInput(props: TagsInputProps) {
  const [text, setText] = useState('');
  return (
    <Select
      {...props}
      mode="tags"
      maxCount={MOST_TAGS}
      tokenSeparators={[',', '，', '、', ' ']}
      options={useTagOptions(text).map(({ value }) => ({ value, label: value }))}
      showSearch={{ onSearch: setText }}
      notFoundContent={null}
    />
  );
}

interface Values {
  categoryId: string;
  tags: string[];
}

interface FileFormProps {
  subject: StaffEssay | undefined;
  categories: readonly Option[];
  onClose: () => void;
}

/** Where an essay on the shelf is found. */
export function FileForm({ subject, categories, onClose }: FileFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Values>
      title={`「${subject?.title}」的分类与标签`}
      open={subject !== undefined}
      onClose={onClose}
      intro={<p>读者马上按新的分类与标签找到它，作者会收到通知。</p>}
      values={{ categoryId: subject?.category?.id ?? '', tags: subject?.tags ?? [] }}
      fields={[
        { name: 'categoryId', kind: 'select', label: '分类', required: true, options: categories },
        {
          name: 'tags',
          kind: 'own',
          label: '标签',
          help: `最多 ${MOST_TAGS} 个；输入后按回车`,
          control: <TagsInput />,
        },
      ]}
      submit={async ({ categoryId, tags }) => {
        if (subject === undefined) return;
        await api('PUT core/sys/essay/', {
          id: subject.id,
          ...(categoryId !== subject.category?.id && { categoryId }),
          ...(tags.join() !== subject.tags.join() && { tags }),
        });
        message.success(`已改好「${subject.title}」的分类与标签`);
      }}
    />
  );
}
