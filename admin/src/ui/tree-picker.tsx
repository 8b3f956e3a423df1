import { CaretDownOutlined } from '@ant-design/icons';
import type { Menu } from '@mozhan/contract/access.ts';
import { Button, Flex, Tree } from 'antd';
import { checkboxStates, flatten, setMenuChecked } from '#admin/lib/menu-tree.ts';
import styles from './tree-picker.module.css';

interface TreePickerProps {
  menus: Menu[];
  /** Ids of granted menus. */
  value: ReadonlySet<string>;
  onChange: (value: Set<string>) => void;
  /** Staff may grant only permissions they have. */
  mayGrant: (menu: Menu) => boolean;
  readOnly: boolean;
}

interface NodeOptions {
  readOnly: boolean;
  mayGrant: (menu: Menu) => boolean;
}

const toNode = (menu: Menu, options: NodeOptions): object => ({
  key: menu.id,
  disableCheckbox: options.readOnly || !options.mayGrant(menu),
  title: (
    <span className={styles.title}>
      {menu.name}
      {menu.permission === null ? null : <span className={styles.code}>{menu.permission}</span>}
      {options.readOnly || options.mayGrant(menu) ? null : <span className={styles.reason}>你没有</span>}
    </span>
  ),
  children: menu.children.map((child) => toNode(child, options)),
});

/** Selects the menus of a role; each is granted separately, so a parent may be half checked. */
export function TreePicker({ menus, value, onChange, mayGrant, readOnly }: TreePickerProps) {
  const all = flatten(menus);
  const setAll = (checked: boolean) =>
    onChange(
      menus.reduce((granted, menu) => setMenuChecked(granted, menu, checked, mayGrant), new Set(value)),
    );
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
      {readOnly || all.every(mayGrant) ? null : (
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
        treeData={menus.map((menu) => toNode(menu, { readOnly, mayGrant })) as never}
        checkedKeys={checkboxStates(menus, value)}
        onCheck={(_, { node, checked }) => {
          const menu = all.find(({ id }) => id === node.key);
          if (menu !== undefined) onChange(setMenuChecked(value, menu, checked, mayGrant));
        }}
      />
    </>
  );
}
