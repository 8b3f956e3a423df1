import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface TermsFormProps {
  open: boolean;
  onClose: () => void;
}

const toWords = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

export function TermsForm({ open, onClose }: TermsFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();

  async function submit({ words }: { words: string }): Promise<void> {
    const { created, known } = await api('POST core/sys/search/term', { words: toWords(words) });
    message.success(`新增 ${created} 个${known > 0 ? `，${known} 个已有` : ''}`);
  }

  return (
    <FormModal
      title="添加搜索词"
      intro={
        <p>
          把站内常用的新词、人名和产品名添进来，搜索时就会当作一个词。已上架的文章要重建索引后才按新词编入。
        </p>
      }
      open={open}
      onClose={onClose}
      values={{ words: '' }}
      fields={[
        {
          name: 'words',
          kind: 'lines',
          label: '词，每行一个',
          required: true,
          rows: 8,
          maxLength: 20_000,
          help: '2 到 20 个汉字，一次最多 500 个；繁体按简体收录，英文不用添',
        },
      ]}
      submit={submit}
      action="添加"
    />
  );
}
