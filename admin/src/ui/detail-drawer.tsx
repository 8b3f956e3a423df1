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
  /** Beside the title. */
  actions?: readonly RowAction[];
  children: (shown: T) => ReactNode;
}

/** One thing in full, at the edge of the screen. Closed, it asks for nothing: the thing may be gone by then. */
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
