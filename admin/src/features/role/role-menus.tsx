import type { Menu, Role } from '@mozhan/contract/access.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, App, Button, Drawer, Flex, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { flatten } from '#admin/lib/menu-tree.ts';
import { call, useRefresh } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { LoadError } from '#admin/ui/screen.tsx';
import { TreePicker } from '#admin/ui/tree-picker.tsx';
import { useLastOpened } from '#admin/ui/use-last-opened.ts';

const SUPER = 'super';
/** Permissions that give access to all data of the site. */
const UNLIMITED_PERMISSIONS = ['transfer:create', 'backup:download'];

/** Staff may grant only permissions they have; super administrators may grant all. */
function useMayGrant(): (menu: Menu) => boolean {
  const { api } = useApp();
  const { user } = useViewer();
  const can = useCan();
  // A super administrator always has this permission.
  const me = useQuery({
    ...call(api, 'GET core/sys/account/', { id: user.id }),
    enabled: can('account:list'),
  }).data;
  const isSuper = me !== undefined && 'roles' in me && me.roles.some((role) => role.code === SUPER);
  return ({ permission }) => isSuper || permission === null || user.permissions.includes(permission);
}

interface PanelProps {
  role: Role;
  open: boolean;
  onClose: () => void;
}

function Panel({ role, open, onClose }: PanelProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const showError = useShowError();
  const refresh = useRefresh();
  const confirm = useConfirm();
  const can = useCan();
  const mayGrant = useMayGrant();
  const menus = useQuery(call(api, 'GET core/sys/menu/'));
  const granted = useQuery({ ...call(api, 'GET core/sys/role/menu/', { roleId: role.id }), staleTime: 0 });
  const [chosen, setChosen] = useState<Set<string>>();
  const [busy, setBusy] = useState(false);

  const tree = Array.isArray(menus.data) ? menus.data : undefined;
  const isSuper = role.code === SUPER;
  const readOnly = isSuper || !can('role:grant');
  const stored = new Set(isSuper ? flatten(tree ?? []).map(({ id }) => id) : granted.data);
  const value = chosen ?? stored;
  const isSame = value.size === stored.size && [...value].every((id) => stored.has(id));
  const isDirty = () => open && !isSame;
  useUnsavedGuard(isDirty, () => confirm(DISCARD_CHANGES));

  async function close(): Promise<void> {
    if (!busy && (!isDirty() || (await confirm(DISCARD_CHANGES)))) onClose();
  }

  async function save(): Promise<void> {
    setBusy(true);
    try {
      await api('PUT core/sys/role/menu/', { roleId: role.id, menuIds: [...value] });
      message.success(`已保存「${role.name}」的菜单`);
      onClose();
      await refresh();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }

  const unlimitedMenus = flatten(tree ?? []).filter(
    ({ id, permission }) =>
      value.has(id) && permission !== null && UNLIMITED_PERMISSIONS.includes(permission),
  );
  const error = menus.error ?? granted.error;
  const isReady = tree !== undefined && granted.data !== undefined;
  return (
    <Drawer
      title={`「${role.name}」的菜单`}
      open={open}
      onClose={() => void close()}
      size={Math.min(480, innerWidth)}
      closable={{ 'aria-label': '关闭' }}
      footer={
        readOnly ? null : (
          <Flex justify="end" gap={8}>
            <Button onClick={() => void close()} disabled={busy}>
              取消
            </Button>
            <Button type="primary" loading={busy} disabled={!isReady} onClick={() => void save()}>
              保存
            </Button>
          </Flex>
        )
      }
    >
      {isSuper ? (
        <Alert type="info" showIcon style={{ marginBottom: 16 }} title="超级管理员拥有全部菜单，无需设置。" />
      ) : null}
      {isSuper || unlimitedMenus.length === 0 ? null : (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 16 }}
          title={`「${unlimitedMenus.map(({ name }) => name).join('」「')}」能取走全站的数据，几乎等于超级管理员，只给信得过的人。`}
        />
      )}
      {error === null || isReady ? null : (
        <LoadError error={error} onRetry={() => void Promise.all([menus.refetch(), granted.refetch()])} />
      )}
      {isReady || error !== null ? null : <Skeleton active paragraph={{ rows: 10 }} />}
      {isReady ? (
        <TreePicker menus={tree} value={value} onChange={setChosen} mayGrant={mayGrant} readOnly={readOnly} />
      ) : null}
    </Drawer>
  );
}

export function RoleMenus({ role, onClose }: { role: Role | undefined; onClose: () => void }) {
  const { openCount, displayed } = useLastOpened(role !== undefined, role);
  if (displayed === undefined) return null;
  return <Panel key={openCount} role={displayed} open={role !== undefined} onClose={onClose} />;
}
