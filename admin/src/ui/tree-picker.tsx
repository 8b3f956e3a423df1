import { CaretDownOutlined } from '@ant-design/icons';
import { Button, Tree } from 'antd';
import { boxesOf, flatten, withMenu } from '#admin/lib/menu-tree.ts';
import type { Menu } from '#contract/access.ts';
import styles from './tree-picker.module.css';

interface TreePickerProps {
  menus: Menu[];
  /** Ids that are held. */
  value: ReadonlySet<string>;
  onChange: (value: Set<string>) => void;
  /** One gives and takes only what one has. */
  mayTouch: (menu: Menu) => boolean;
  readOnly: boolean;
}

const toNode = (menu: Menu, isDisabled: (menu: Menu) => boolean): object => ({
  key: menu.id,
  disableCheckbox: isDisabled(menu),
  title: (
    <span className={styles.title}>
      {menu.name}
      {menu.permission === null ? null : <span className={styles.code}>{menu.permission}</span>}
    </span>
  ),
  children: menu.children.map((child) => toNode(child, isDisabled)),
});

/** The menus of a role; each is held by itself, so a parent may be held only in part. */
export function TreePicker({ menus, value, onChange, mayTouch, readOnly }: TreePickerProps) {
  const all = flatten(menus);
  const isDisabled = (menu: Menu) => readOnly || !mayTouch(menu);
  const setAll = (checked: boolean) =>
    onChange(menus.reduce((held, menu) => withMenu(held, menu, checked, mayTouch), new Set(value)));
  return (
    <>
      <div className={styles.tools}>
        <span className={styles.count} role="status">
          已选 {all.filter(({ id }) => value.has(id)).length} 项
        </span>
        {readOnly ? null : (
          <span>
            <Button type="link" size="small" onClick={() => setAll(true)}>
              全选
            </Button>
            <Button type="link" size="small" onClick={() => setAll(false)}>
              清空
            </Button>
          </span>
        )}
      </div>
      <Tree
        checkable
        checkStrictly
        defaultExpandAll
        blockNode
        selectable={false}
        switcherIcon={<CaretDownOutlined aria-hidden />}
        aria-label="菜单"
        treeData={menus.map((menu) => toNode(menu, isDisabled)) as never}
        checkedKeys={boxesOf(menus, value)}
        onCheck={(_, { node, checked }) => {
          const menu = all.find(({ id }) => id === node.key);
          if (menu !== undefined) onChange(withMenu(value, menu, checked, mayTouch));
        }}
      />
    </>
  );
}
