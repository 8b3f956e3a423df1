import { Button, Drawer } from 'antd';
import type { ReactNode } from 'react';
import type { RowAction } from './row-actions.tsx';
import { useOpenings } from './use-openings.ts';

interface DetailDrawerProps<T> {
  /** Undefined: closed. */
  subject: T | undefined;
  onClose: () => void;
  title: (shown: T) => string;
  width?: number;
  /** Buttons in the header. */
  actions?: readonly RowAction[];
  children: (shown: T) => ReactNode;
}

/** A drawer with the details of one row. Its content is unmounted when closed, so that it requests nothing: the row may be gone. */
export function DetailDrawer<T>(props: DetailDrawerProps<T>) {
  const { subject, onClose, title, width = 480, actions = [], children } = props;
  const { shown } = useOpenings(subject !== undefined, subject);
  if (shown === undefined) return null;
  return (
    <Drawer
      title={title(shown)}
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
      {children(shown)}
    </Drawer>
  );
}
