import { FileTextOutlined } from '@ant-design/icons';
import type { WordLevel } from '@mozhan/contract/sensitive-words.ts';
import { App, Button, Flex, Input, Upload } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { levelChoices } from './levels.ts';
import { parseWords, validateWords } from './word-list.ts';

/** Maximum words per call. */
const MAX_BATCH_SIZE = 2000;
const MAX_FILE_BYTES = 2 * 1024 * 1024;

interface WordsInputProps {
  /** Set by the form, together with its ARIA attributes. */
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** Text area with an upload button for a text file. */
function WordsInput({ value = '', onChange, ...wordList }: WordsInputProps) {
  const { message } = App.useApp();
  async function read(file: File): Promise<void> {
    if (file.size > MAX_FILE_BYTES) {
      message.warning('文件太大，不能超过 2 MB');
      return;
    }
    onChange?.(await file.text());
  }
  return (
    <Flex vertical gap={8}>
      <Input.TextArea
        {...wordList}
        rows={10}
        value={value}
        onChange={(event) => onChange?.(event.target.value)}
      />
      <Upload
        accept=".txt,text/plain"
        showUploadList={false}
        beforeUpload={(file) => {
          void read(file);
          return false;
        }}
      >
        <Button icon={<FileTextOutlined aria-hidden />}>从文本文件读入</Button>
      </Upload>
    </Flex>
  );
}

interface Values {
  words: string;
  level: WordLevel;
  note: string;
}

interface PasteFormProps {
  open: boolean;
  onClose: () => void;
}

export function PasteForm({ open, onClose }: PasteFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();

  async function submit({ words, level, note }: Values): Promise<void> {
    const wordList = parseWords(words);
    let created = 0;
    for (let i = 0; i < wordList.length; i += MAX_BATCH_SIZE) {
      const answer = await api('POST core/sys/word/', {
        words: wordList.slice(i, i + MAX_BATCH_SIZE),
        level,
        note,
      });
      if ('created' in answer) created += answer.created;
    }
    const known = wordList.length - created;
    message.success(`新增 ${created} 个${known > 0 ? `，${known} 个已有` : ''}`);
  }

  return (
    <FormModal<Values>
      title="批量添加敏感词"
      open={open}
      onClose={onClose}
      values={{ words: '', level: 'hold', note: '' }}
      fields={[
        {
          name: 'words',
          kind: 'own',
          label: '敏感词，每行一个',
          control: <WordsInput />,
          rules: [
            {
              validator: (_, text: string) => {
                const problem = validateWords(text);
                return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem));
              },
            },
          ],
          help: '已有的会跳过；# 开头的行不算',
        },
        { name: 'level', kind: 'choice', label: '级别', options: levelChoices },
        { name: 'note', kind: 'text', label: '备注', maxLength: 100 },
      ]}
      submit={submit}
      action="添加"
    />
  );
}
