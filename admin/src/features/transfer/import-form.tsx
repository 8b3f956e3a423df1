import { InboxOutlined } from '@ant-design/icons';
import { FLAG, type Flag } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { TransferFormat } from '@mozhan/contract/transfer.ts';
import { useQuery } from '@tanstack/react-query';
import { App, Button, Flex, Progress, Upload } from 'antd';
import { useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { FormDrawer } from '#admin/ui/form-drawer.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';
import { formatOptions } from './labels.tsx';
import styles from './transfer.module.css';

const TYPES = '.zip,.json,.xml,.wxr,.sql,.md,.markdown';
const MAX_FILE_BYTES = 1024 ** 3;

interface FileInputProps {
  /** Upload progress, 0 to 1; undefined when not uploading. */
  progress: number | undefined;
  onStop: () => void;
  /** Set by the form. */
  value?: File | undefined;
  onChange?: (file: File) => void;
}

function FileInput({ progress, onStop, value, onChange }: FileInputProps) {
  return (
    <>
      <Upload.Dragger
        accept={TYPES}
        showUploadList={false}
        disabled={progress !== undefined}
        beforeUpload={(file) => {
          onChange?.(file);
          return false;
        }}
      >
        <div className={styles.drop}>
          <InboxOutlined aria-hidden />
          <strong>{value === undefined ? '选择文件，或拖到这里' : value.name}</strong>
          <span>
            {value === undefined
              ? 'ZIP、JSON、XML、SQL 或 Markdown，最大 1 GB'
              : `${formatBytes(value.size)}，点击更换`}
          </span>
        </div>
      </Upload.Dragger>
      {progress === undefined ? null : (
        <Flex gap={8} align="center">
          <Progress percent={Math.round(progress * 100)} size="small" aria-label="上传进度" />
          {/* The form disables its controls during submission, except this one. */}
          <Button type="link" size="small" disabled={false} onClick={onStop}>
            停止上传
          </Button>
        </Flex>
      )}
    </>
  );
}

interface Values {
  file: File | undefined;
  format: TransferFormat;
  authorId: string | undefined;
  categoryId: string | undefined;
  asDrafts: Flag;
  fetchPictures: Flag;
}

const INITIAL_VALUES: Values = {
  file: undefined,
  format: 'auto',
  authorId: undefined,
  categoryId: undefined,
  asDrafts: FLAG.off,
  fetchPictures: FLAG.on,
};

const checkFile = async (_: unknown, file: File | undefined): Promise<void> => {
  if (file === undefined) throw new Error('请选择文件');
  if (file.size > MAX_FILE_BYTES) throw new Error('文件不能超过 1 GB');
};

interface ImportFormProps {
  open: boolean;
  onClose: () => void;
}

export function ImportForm({ open, onClose }: ImportFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const [progress, setProgress] = useState<number>();
  const running = useRef<AbortController>(undefined);
  const { data } = useQuery({ ...call(api, 'GET core/sys/category/'), enabled: open });
  const categories = Array.isArray(data) ? data.map(({ id, name }) => ({ value: id, label: name })) : [];

  async function submit({ file, authorId, categoryId, ...options }: Values): Promise<void> {
    if (file === undefined) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setProgress(0);
    try {
      const chosen = { ...(authorId && { authorId }), ...(categoryId && { categoryId }) };
      await api(
        'POST core/sys/transfer/import',
        { ...options, ...chosen },
        { file, signal, onProgress: setProgress },
      );
      message.success('已开始导入，可以离开这个页面');
    } catch (error) {
      throw signal.aborted ? invalidField('file', '已停止上传') : error;
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <FormDrawer<Values>
      title="导入"
      open={open}
      onClose={onClose}
      values={INITIAL_VALUES}
      fields={[
        {
          name: 'file',
          kind: 'own',
          label: '文件',
          control: <FileInput progress={progress} onStop={() => running.current?.abort()} />,
          rules: [{ validator: checkFile }],
          help: '墨栈导出的 ZIP；WordPress 导出的 XML、Ghost 导出的 JSON 或 Typecho 的 SQL 备份，连同图片可以压成 ZIP；Halo 的备份；Hexo、Hugo、Jekyll 或其他 Markdown 文件夹压成的 ZIP，或其中一篇',
        },
        { name: 'format', kind: 'select', label: '格式', required: true, options: formatOptions },
        {
          name: 'authorId',
          kind: 'own',
          label: '没有署名的文章归谁',
          control: <UserFilter label="作者" block />,
          help: '不选则跳过没有署名的；有署名的按账号归到本站的作者，没有这个账号的会新建，重置密码后才能登录',
        },
        {
          name: 'categoryId',
          kind: 'select',
          label: '分类在本站没有的放到',
          options: categories,
          placeholder: '第一个分类',
        },
        {
          name: 'asDrafts',
          kind: 'flag',
          label: '全部作为草稿',
          help: '否则已发布的直接上架，保留原来的发布时间',
        },
        {
          name: 'fetchPictures',
          kind: 'flag',
          label: '取回别的网站上的图片',
          help: '导入完成后在后台取回，没有取到的在正文里成为链接，可以在报告里重试',
        },
      ]}
      submit={submit}
      action="开始导入"
    />
  );
}
