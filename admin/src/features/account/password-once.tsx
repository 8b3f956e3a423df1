import { Button, Modal } from 'antd';
import { CopyField } from '#admin/ui/copy-field.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';

/** An account's new password, to be handed over. */
export interface Handover {
  account: string;
  password: string;
}

/** Shown once: nowhere can it be read again. */
export function PasswordOnce({ given, onClose }: { given: Handover | undefined; onClose: () => void }) {
  const { shown } = useOpenings(given !== undefined, given);

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
      <CopyField label="新密码" value={shown?.password ?? ''} />
    </Modal>
  );
}
