import { Drawer, Flex } from 'antd';
import { type FormPanelProps, useFormPanel } from './use-form-panel.tsx';
import { useLastOpened } from './use-last-opened.ts';

const WIDTH = 480;

function Panel<V extends object>({ open, ...displayed }: FormPanelProps<V>) {
  const { body, footer, close } = useFormPanel({ open, ...displayed });
  return (
    <Drawer
      title={displayed.title}
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

export function FormDrawer<V extends object>(props: FormPanelProps<V>) {
  const { openCount, displayed } = useLastOpened(props.open, props);
  return <Panel key={openCount} {...displayed} open={props.open} onClose={props.onClose} />;
}
