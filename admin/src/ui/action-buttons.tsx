import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { Link } from '#admin/lib/navigation.tsx';
import styles from './action-buttons.module.css';

export interface ActionButton {
  label: string;
  onClick: () => void;
  danger?: boolean | undefined;
  /** Rendered as a link before the buttons. */
  to?: string;
}

/** False entries are skipped. */
export type MaybeAction = ActionButton | false;

const VISIBLE_COUNT = 2;

/** Actions of a row: the first ones as buttons, the rest in a menu (更多). */
export function ActionButtons({ name, actions }: { name: string; actions: MaybeAction[] }) {
  const offered = actions.filter((action) => action !== false && action.to === undefined) as ActionButton[];
  const cut = offered.length > VISIBLE_COUNT + 1 ? VISIBLE_COUNT : offered.length;
  const [visible, rest] = [offered.slice(0, cut), offered.slice(cut)];
  return (
    <div className={styles.actions}>
      {actions.map((action) =>
        action === false || action.to === undefined ? null : (
          <Link key={action.label} to={action.to} aria-label={`${action.label}：${name}`}>
            {action.label}
          </Link>
        ),
      )}
      {visible.map(({ label, onClick, danger }) => (
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
