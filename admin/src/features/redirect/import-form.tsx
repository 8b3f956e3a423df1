import { UploadOutlined } from '@ant-design/icons';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { App, Button, Upload } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { ProblemList } from './problem-list.tsx';

interface FileInputProps {
  /** Set by the form. */
  value?: File | undefined;
  onChange?: (file: File) => void;
}

const FileInput = ({ value, onChange }: FileInputProps) => (
  <Upload
    accept=".csv,text/csv"
    showUploadList={false}
    beforeUpload={(file) => {
      onChange?.(file);
      return false;
    }}
  >
    <Button icon={<UploadOutlined aria-hidden />}>
      {value === undefined ? '选择 CSV 文件' : value.name}
    </Button>
  </Upload>
);

interface Values {
  file: File | undefined;
  overwrite: Flag;
}

const INITIAL_VALUES: Values = { file: undefined, overwrite: FLAG.off };

const checkFile = async (_: unknown, file: File | undefined): Promise<void> => {
  if (file === undefined) throw new Error('请选择文件');
};

interface ImportFormProps {
  open: boolean;
  onClose: () => void;
}

export function ImportForm({ open, onClose }: ImportFormProps) {
  const { api } = useApp();
  const { message, modal } = App.useApp();

  async function submit({ file, overwrite }: Values): Promise<void> {
    if (file === undefined) return;
    const { added, updated, refused, problems } = await api(
      'POST core/sys/redirect/import',
      { overwrite },
      { file },
    );
    const done = `新增 ${added} 条，更新 ${updated} 条`;
    if (refused === 0) return void message.success(`已导入：${done}`);
    modal.warning({
      title: `${done}，${refused} 行没有导入`,
      content: <ProblemList problems={problems} total={refused} />,
      width: 640,
      okText: '知道了',
    });
  }

  return (
    <FormModal<Values>
      title="导入跳转"
      open={open}
      onClose={onClose}
      values={INITIAL_VALUES}
      fields={[
        {
          name: 'file',
          kind: 'own',
          label: '文件',
          control: <FileInput />,
          rules: [{ validator: checkFile }],
          help: '每行两列：旧网址、新网址；UTF-8 编码，最多 5 万行。第一行可以是列名',
        },
        {
          name: 'overwrite',
          kind: 'flag',
          label: '覆盖已有的',
          help: '旧网址已有跳转时，改为文件里的新网址',
        },
      ]}
      submit={submit}
      action="导入"
    />
  );
}
