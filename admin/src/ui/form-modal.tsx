import { Modal } from 'antd';
import { type FormPanelProps, useFormPanel } from './use-form-panel.tsx';
import { useLastOpened } from './use-last-opened.ts';

const WIDTH = 440;

function Panel<V extends object>({ open, ...displayed }: FormPanelProps<V>) {
  const { body, footer, close } = useFormPanel({ open, ...displayed });
  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title={displayed.title}
      open={open}
      onCancel={close}
      width={WIDTH}
      footer={footer}
      styles={{ body: { paddingTop: 12 } }}
    >
      {body}
    </Modal>
  );
}

export function FormModal<V extends object>(props: FormPanelProps<V>) {
  const { openCount, displayed } = useLastOpened(props.open, props);
  return <Panel key={openCount} {...displayed} open={props.open} onClose={props.onClose} />;
}
