import { Button, Modal } from 'antd';
import { CopyField } from '#admin/ui/copy-field.tsx';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';

/** An account and its generated password, for the administrator to pass on. */
export interface NewCredentials {
  account: string;
  password: string;
}

/** Displays the password once; it cannot be read again later. */
export function NewPasswordDialog({
  credentials,
  onClose,
}: {
  credentials: NewCredentials | undefined;
  onClose: () => void;
}) {
  const { displayed } = useLastOpened(credentials !== undefined, credentials);

  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title={`「${displayed?.account ?? ''}」的新密码`}
      open={credentials !== undefined}
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
      <CopyField label="新密码" value={displayed?.password ?? ''} />
    </Modal>
  );
}
