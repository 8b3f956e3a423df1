import { InboxOutlined } from '@ant-design/icons';
import { FLAG } from '@mozhan/contract/enums.ts';
import type { TransferFormat } from '@mozhan/contract/transfer.ts';
import { Alert, Button, Flex, Form, Progress, Select, Upload } from 'antd';
import { useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import { formatBytes } from '#admin/lib/format.ts';
import { useRefresh } from '#admin/lib/queries.ts';
import { redirectIfSignedOut } from '#admin/lib/session.ts';
import { SCROLL_TO_ERROR } from '#admin/ui/fields.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './import.module.css';
import { formatOptions } from './labels.tsx';

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
}

const checkFile = async (_: unknown, file: File | undefined): Promise<void> => {
  if (file === undefined) throw new Error('请选择文件');
  if (file.size > MAX_FILE_BYTES) throw new Error('文件不能超过 1 GB');
};

/** Uploads a file, which is then checked; nothing is imported yet. */
export function UploadStep() {
  const { api, basePath, router } = useApp();
  const refresh = useRefresh();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState('');
  const running = useRef<AbortController>(undefined);

  async function submit({ file, format }: Values): Promise<void> {
    if (file === undefined) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setProgress(0);
    setProblem('');
    try {
      const { id } = await api(
        'POST core/sys/transfer/import',
        { format, check: FLAG.on },
        { file, signal, onProgress: setProgress },
      );
      await router.navigate(`/transfer?import=${id}`, { sameScreen: true, replace: true });
      await refresh();
    } catch (error) {
      if (!redirectIfSignedOut(error, basePath))
        setProblem(signal.aborted ? '已停止上传' : errorMessage(error));
    } finally {
      setProgress(undefined);
    }
  }

  return (
    <Card>
      <Form<Values>
        layout="vertical"
        className={styles.upload}
        initialValues={{ file: undefined, format: 'auto' }}
        disabled={progress !== undefined}
        requiredMark={false}
        scrollToFirstError={SCROLL_TO_ERROR}
        onFinish={(values) => void submit(values)}
      >
        {problem === '' ? null : (
          <Form.Item>
            <Alert type="error" showIcon title={problem} />
          </Form.Item>
        )}
        <Form.Item
          name="file"
          label="文件"
          rules={[{ validator: checkFile }]}
          validateTrigger="onSubmit"
          extra="墨栈导出的 ZIP；WordPress 导出的 XML、Ghost 导出的 JSON 或 Typecho 的 SQL 备份，连同图片可以压成 ZIP；Halo 的备份；Hexo、Hugo、Jekyll 或其他 Markdown 文件夹压成的 ZIP，或其中一篇"
        >
          <FileInput progress={progress} onStop={() => running.current?.abort()} />
        </Form.Item>
        <Form.Item name="format" label="格式">
          <Select options={formatOptions} className={styles.format} />
        </Form.Item>
        <Button type="primary" htmlType="submit" loading={progress !== undefined}>
          上传并检查
        </Button>
        <p className={styles.hint}>检查不会改动任何内容，看过结果再决定是否导入。</p>
      </Form>
    </Card>
  );
}
