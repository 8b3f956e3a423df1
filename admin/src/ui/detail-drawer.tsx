import { Button, Drawer } from 'antd';
import type { ReactNode } from 'react';
import type { ActionButton } from './action-buttons.tsx';
import { useLastOpened } from './use-last-opened.ts';

interface DetailDrawerProps<T> {
  /** Undefined while closed. */
  subject: T | undefined;
  onClose: () => void;
  title: (displayed: T) => string;
  width?: number;
  actions?: readonly ActionButton[];
  children: (displayed: T) => ReactNode;
}

/** A drawer with the details of one row. Unmounts its content when closed, to avoid refetching a deleted row. */
export function DetailDrawer<T>(props: DetailDrawerProps<T>) {
  const { subject, onClose, title, width = 480, actions = [], children } = props;
  const { displayed } = useLastOpened(subject !== undefined, subject);
  if (displayed === undefined) return null;
  return (
    <Drawer
      title={title(displayed)}
      open={subject !== undefined}
      onClose={onClose}
      size={Math.min(width, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      destroyOnHidden
      extra={actions.map(({ label, danger, onClick }) => (
        <Button key={label} danger={danger} onClick={onClick}>
          {label}
        </Button>
      ))}
    >
      {children(displayed)}
    </Drawer>
  );
}
