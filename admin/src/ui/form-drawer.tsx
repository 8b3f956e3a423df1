import { Drawer, Flex } from 'antd';
import { type FormPanelProps, useFormPanel } from './use-form-panel.tsx';
import { useOpenings } from './use-openings.ts';

const WIDTH = 480;

function Panel<V extends object>({ open, ...shown }: FormPanelProps<V>) {
  const { body, footer, close } = useFormPanel({ open, ...shown });
  return (
    <Drawer
      title={shown.title}
      open={open}
      onClose={close}
      size={Math.min(WIDTH, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      footer={
        <Flex justify="end" gap={8}>
          {footer}
        </Flex>
      }
    >
      {body}
    </Drawer>
  );
}

/** A form of several fields, at the edge of the screen. */
export function FormDrawer<V extends object>(props: FormPanelProps<V>) {
  const { turn, shown } = useOpenings(props.open, props);
  return <Panel key={turn} {...shown} open={props.open} onClose={props.onClose} />;
}
