import { UploadOutlined } from '@ant-design/icons';
import { Button, Flex, Progress, Upload } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import { fileUrl } from '#admin/lib/format.ts';
import styles from './image-upload.module.css';

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];
const MAX_BYTES = 10 * 1024 * 1024;

const validateFile = ({ type, size }: File): string | undefined => {
  if (!TYPES.includes(type)) return '请选择 JPG、PNG、WebP 或 GIF 图片';
  return size > MAX_BYTES ? '图片不能超过 10 MB' : undefined;
};

interface ImageUploadProps {
  /** Used for the buttons and the alt text. */
  label: string;
  disabled: boolean;
  /** Does not display the image. */
  bare?: true;
  /** Reports uploads: saving meanwhile would store the previous image. */
  onBusy?: (isBusy: boolean) => void;
  /** Set by the form. */
  value?: string;
  onChange?: (path: string) => void;
}

export function ImageUpload({ label, disabled, bare, onBusy, value = '', onChange }: ImageUploadProps) {
  const { api, basePath } = useApp();
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function upload(file: File): Promise<void> {
    const invalidReason = validateFile(file);
    setProblem(invalidReason ?? '');
    if (invalidReason !== undefined) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setProgress(0);
    onBusy?.(true);
    try {
      const { path } = await api('POST core/minio/upload', {}, { file, signal, onProgress: setProgress });
      onChange?.(path);
    } catch (error) {
      if (!signal.aborted) setProblem(errorMessage(error));
    } finally {
      setProgress(undefined);
      onBusy?.(false);
    }
  }

  const isBusy = progress !== undefined;
  return (
    <Flex gap={16} align="center">
      {value === '' || bare ? null : (
        <img className={styles.picture} src={fileUrl(basePath, value)} alt={label} />
      )}
      <div className={styles.controls}>
        <Flex wrap gap={4} align="center">
          <Upload
            accept={TYPES.join(',')}
            showUploadList={false}
            disabled={disabled || isBusy}
            beforeUpload={(file) => {
              void upload(file);
              return false;
            }}
          >
            <Button icon={<UploadOutlined aria-hidden />} disabled={disabled || isBusy}>
              {value === '' ? `上传${label}` : `更换${label}`}
            </Button>
          </Upload>
          {isBusy ? (
            <Button type="link" onClick={() => running.current?.abort()}>
              取消
            </Button>
          ) : null}
        </Flex>
        {isBusy ? <Progress percent={Math.round(progress * 100)} size="small" aria-label="上传进度" /> : null}
        {problem === '' ? null : (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    </Flex>
  );
}
