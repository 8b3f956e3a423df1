import { Modal } from 'antd';
import { type FormPanelProps, useFormPanel } from './use-form-panel.tsx';
import { useOpenings } from './use-openings.ts';

const WIDTH = 440;

function Panel<V extends object>({ open, ...shown }: FormPanelProps<V>) {
  const { body, footer, close } = useFormPanel({ open, ...shown });
  return (
    <Modal
      closable={{ 'aria-label': '关闭' }}
      title={shown.title}
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

/** A form of a few fields, in the middle of the screen. */
export function FormModal<V extends object>(props: FormPanelProps<V>) {
  const { turn, shown } = useOpenings(props.open, props);
  return <Panel key={turn} {...shown} open={props.open} onClose={props.onClose} />;
}
