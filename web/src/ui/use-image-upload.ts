import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../lib/app-context.ts';
import { isImage, isPdf, isVideo } from '../lib/format.ts';

/** Limit of the API call, checked before the upload. */
const MAX_MB = 10;
const MEGABYTE = 1024 * 1024;

type UploadState =
  | { state: 'idle' }
  /** `preview` is an object URL. */
  | { state: 'sending'; preview: string; fraction: number }
  /** Retrying is possible only with a file. */
  | { state: 'failed'; message: string; file?: File };

function validateImage({ name, size }: File): string | undefined {
  if (!isImage(name)) {
    const kind = isVideo(name) ? '视频' : isPdf(name) ? 'PDF' : '这种文件';
    return `这里不支持${kind}，请选择 jpg、png、webp 或 gif 图片`;
  }
  if (size === 0) return '这张图片是空的，请换一张';
  if (size <= MAX_MB * MEGABYTE) return undefined;
  return `图片不能超过 ${MAX_MB} MB，这张有 ${(size / MEGABYTE).toFixed(1)} MB`;
}

/** Uploads one picture at a time and passes its path to `onDone`. */
export function useImageUpload(onDone: (path: string) => void) {
  const api = useApi();
  const [upload, setUpload] = useState<UploadState>({ state: 'idle' });
  const currentUpload = useRef<AbortController>(undefined);
  useEffect(() => () => currentUpload.current?.abort(), []);

  async function send(file: File): Promise<void> {
    currentUpload.current?.abort();
    const error = validateImage(file);
    if (error !== undefined) return setUpload({ state: 'failed', message: error });
    const controller = new AbortController();
    const { signal } = controller;
    currentUpload.current = controller;
    const preview = URL.createObjectURL(file);
    const setUnlessAborted = (next: UploadState) => {
      if (!signal.aborted) setUpload(next);
    };
    setUnlessAborted({ state: 'sending', preview, fraction: 0 });
    try {
      const onProgress = (fraction: number) => setUnlessAborted({ state: 'sending', preview, fraction });
      const { path } = await api('POST core/minio/upload', {}, { file, signal, onProgress });
      if (!signal.aborted) onDone(path);
      setUnlessAborted({ state: 'idle' });
    } catch (error) {
      setUnlessAborted({ state: 'failed', message: errorMessageOf(error), file });
    } finally {
      URL.revokeObjectURL(preview);
    }
  }

  function cancel(): void {
    currentUpload.current?.abort();
    setUpload({ state: 'idle' });
  }

  return { upload, send, cancel };
}
