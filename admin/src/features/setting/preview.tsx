import { Flex, Modal, Segmented } from 'antd';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';
import styles from './preview.module.css';

type Device = 'desktop' | 'phone';

/** Viewport of the iframe, which is scaled down to the available width. */
const sizes: Record<Device, { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 375, height: 720 },
};

const devices: { value: Device; label: string }[] = [
  { value: 'desktop', label: '电脑' },
  { value: 'phone', label: '手机' },
];

function useWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (frame.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return width;
}

function Frame({ url, device }: { url: string; device: Device }) {
  const { basePath } = useApp();
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = sizes[device];
  const scale = Math.min(1, useWidth(room) / width);
  return (
    <div ref={room} className={styles.room} style={{ height: height * scale }}>
      {scale === 0 ? null : (
        <iframe
          // Remount, because the scroll position is wrong at another width.
          key={device}
          className={styles.page}
          title={device === 'desktop' ? '首页在电脑上' : '首页在手机上'}
          src={basePath + url}
          style={{ width, height, transform: `scale(${scale})`, marginInlineEnd: width * (scale - 1) }}
        />
      )}
    </div>
  );
}

/** Preview of the home page with unsaved settings; not interactive. */
export function Preview({ url, onClose }: { url: string | undefined; onClose: () => void }) {
  const [device, setDevice] = useState<Device>('desktop');
  const { displayed } = useLastOpened(url !== undefined, url);
  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title="保存后首页的样子"
      open={url !== undefined}
      onCancel={onClose}
      width={Math.min(1120, innerWidth - 32)}
      centered
      footer={null}
      destroyOnHidden
    >
      <Flex wrap gap="8px 16px" align="center" style={{ marginBottom: 12 }}>
        <Segmented<Device> aria-label="屏幕" options={devices} value={device} onChange={setDevice} />
        <span className={styles.note}>还没有保存；只有你看得到，十分钟内有效</span>
      </Flex>
      {displayed === undefined ? null : <Frame url={displayed} device={device} />}
    </Modal>
  );
}
