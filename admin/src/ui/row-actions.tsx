import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { Link } from '#admin/lib/navigation.tsx';
import styles from './row-actions.module.css';

export interface RowAction {
  label: string;
  onClick: () => void;
  danger?: boolean | undefined;
  /** A link before the buttons. */
  to?: string;
}

/** An entry that is not to be offered is left out as false. */
export type MaybeAction = RowAction | false;

const SHOWN = 2;

/** What can be done with a row: the first ones as buttons, the rest behind 更多. */
export function RowActions({ name, actions }: { name: string; actions: MaybeAction[] }) {
  const offered = actions.filter((action) => action !== false && action.to === undefined) as RowAction[];
  const cut = offered.length > SHOWN + 1 ? SHOWN : offered.length;
  const [shown, rest] = [offered.slice(0, cut), offered.slice(cut)];
  return (
    <div className={styles.actions}>
      {actions.map((action) =>
        action === false || action.to === undefined ? null : (
          <Link key={action.label} to={action.to} aria-label={`${action.label}：${name}`}>
            {action.label}
          </Link>
        ),
      )}
      {shown.map(({ label, onClick, danger }) => (
        <Button
          key={label}
          color={danger ? 'danger' : 'default'}
          variant="text"
          size="small"
          onClick={onClick}
          aria-label={`${label}：${name}`}
        >
          {label}
        </Button>
      ))}
      {rest.length === 0 ? null : (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map(({ label, onClick, danger }) => ({ key: label, label, danger, onClick })),
          }}
        >
          <Button type="text" size="small" icon={<MoreOutlined />} aria-label={`更多操作：${name}`} />
        </Dropdown>
      )}
    </div>
  );
}
