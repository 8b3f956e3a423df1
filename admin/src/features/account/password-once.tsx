import { App, Button, Input, type InputRef, Modal, Space } from 'antd';
import { useRef } from 'react';
import { useOpenings } from '#admin/ui/use-openings.ts';

/** An account's new password, to be handed over. */
export interface Handover {
  account: string;
  password: string;
}

/** Shown once: nowhere can it be read again. */
export function PasswordOnce({ given, onClose }: { given: Handover | undefined; onClose: () => void }) {
  const { message } = App.useApp();
  const input = useRef<InputRef>(null);
  const { shown } = useOpenings(given !== undefined, given);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(shown?.password ?? '');
      message.success('已复制');
    } catch {
      // Not allowed, as over plain HTTP: it is selected at least.
      input.current?.select();
      message.info('请按 Ctrl+C 复制');
    }
  }

  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title={`「${shown?.account ?? ''}」的新密码`}
      open={given !== undefined}
      width={440}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          我已记下
        </Button>
      }
    >
      <p>请把它交给本人。关闭后无法再次查看；首次登录时须改成自己的密码。</p>
      <Space.Compact block>
        <Input ref={input} readOnly aria-label="新密码" value={shown?.password} />
        <Button onClick={() => void copy()}>复制</Button>
      </Space.Compact>
    </Modal>
  );
}
