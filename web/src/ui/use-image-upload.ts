import { messageOf } from '@mozhan/client/errors.ts';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../lib/app-context.ts';
import { isImage, isPdf, isVideo } from '../lib/format.ts';

/** What the call takes; a larger file need not travel to be refused. */
const MOST_MB = 10;
const MEGABYTE = 1024 * 1024;

type Upload =
  | { at: 'rest' }
  /** `preview` is an address of the picture in this browser. */
  | { at: 'sending'; preview: string; fraction: number }
  /** Without a file there is nothing to try again with. */
  | { at: 'failed'; sentence: string; file?: File };

function refusalOf({ name, size }: File): string | undefined {
  if (!isImage(name)) {
    const kind = isVideo(name) ? '视频' : isPdf(name) ? 'PDF' : '这种文件';
    return `这里放不了${kind}，请选择 jpg、png、webp 或 gif 图片`;
  }
  if (size === 0) return '这张图片是空的，请换一张';
  if (size <= MOST_MB * MEGABYTE) return undefined;
  return `图片不能超过 ${MOST_MB} MB，这张有 ${(size / MEGABYTE).toFixed(1)} MB`;
}

/** Sends one picture at a time; gives its path to `onDone`. */
export function useImageUpload(onDone: (path: string) => void) {
  const api = useApi();
  const [upload, setUpload] = useState<Upload>({ at: 'rest' });
  const underWay = useRef<AbortController>(undefined);
  useEffect(() => () => underWay.current?.abort(), []);

  async function send(file: File): Promise<void> {
    underWay.current?.abort();
    const refusal = refusalOf(file);
    if (refusal !== undefined) return setUpload({ at: 'failed', sentence: refusal });
    const controller = new AbortController();
    const { signal } = controller;
    underWay.current = controller;
    const preview = URL.createObjectURL(file);
    const show = (next: Upload) => {
      if (!signal.aborted) setUpload(next);
    };
    show({ at: 'sending', preview, fraction: 0 });
    try {
      const onProgress = (fraction: number) => show({ at: 'sending', preview, fraction });
      const { path } = await api('POST core/minio/upload', {}, { file, signal, onProgress });
      if (!signal.aborted) onDone(path);
      show({ at: 'rest' });
    } catch (error) {
      show({ at: 'failed', sentence: messageOf(error), file });
    } finally {
      URL.revokeObjectURL(preview);
    }
  }

  function stop(): void {
    underWay.current?.abort();
    setUpload({ at: 'rest' });
  }

  return { upload, send, stop };
}
