import { App, Button, Input, type InputRef, Space } from 'antd';
import { useRef } from 'react';

export function CopyField({ label, value }: { label: string; value: string }) {
  const { message } = App.useApp();
  const input = useRef<InputRef>(null);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      message.success('已复制');
    } catch {
      // No clipboard access, for example over plain HTTP: select the text instead.
      input.current?.select();
      message.info('请按 Ctrl+C 复制');
    }
  }

  return (
    <Space.Compact block>
      <Input ref={input} readOnly aria-label={label} value={value} />
      <Button onClick={() => void copy()}>复制</Button>
    </Space.Compact>
  );
}
