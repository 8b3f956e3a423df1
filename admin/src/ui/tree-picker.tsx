import { CaretDownOutlined } from '@ant-design/icons';
import type { Menu } from '@mozhan/contract/access.ts';
import { Button, Flex, Tree } from 'antd';
import { boxesOf, flatten, withMenu } from '#admin/lib/menu-tree.ts';
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

interface NodeOptions {
  readOnly: boolean;
  mayTouch: (menu: Menu) => boolean;
}

const toNode = (menu: Menu, options: NodeOptions): object => ({
  key: menu.id,
  disableCheckbox: options.readOnly || !options.mayTouch(menu),
  title: (
    <span className={styles.title}>
      {menu.name}
      {menu.permission === null ? null : <span className={styles.code}>{menu.permission}</span>}
      {options.readOnly || options.mayTouch(menu) ? null : <span className={styles.reason}>你没有</span>}
    </span>
  ),
  children: menu.children.map((child) => toNode(child, options)),
});

/** The menus of a role; each is held by itself, so a parent may be held only in part. */
export function TreePicker({ menus, value, onChange, mayTouch, readOnly }: TreePickerProps) {
  const all = flatten(menus);
  const setAll = (checked: boolean) =>
    onChange(menus.reduce((held, menu) => withMenu(held, menu, checked, mayTouch), new Set(value)));
  return (
    <>
      <Flex wrap gap={8} align="center" justify="space-between" style={{ marginBottom: 8 }}>
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
      </Flex>
      {readOnly || all.every(mayTouch) ? null : (
        <p className={styles.note}>标着「你没有」的权限，你不能给出或收回。</p>
      )}
      <Tree
        checkable
        checkStrictly
        defaultExpandAll
        blockNode
        selectable={false}
        switcherIcon={<CaretDownOutlined aria-hidden />}
        aria-label="菜单"
        treeData={menus.map((menu) => toNode(menu, { readOnly, mayTouch })) as never}
        checkedKeys={boxesOf(menus, value)}
        onCheck={(_, { node, checked }) => {
          const menu = all.find(({ id }) => id === node.key);
          if (menu !== undefined) onChange(withMenu(value, menu, checked, mayTouch));
        }}
      />
    </>
  );
}
