import type { Menu, Role } from '@mozhan/contract/access.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, App, Button, Drawer, Flex, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { useFailures } from '#admin/lib/failures.ts';
import { flatten } from '#admin/lib/menu-tree.ts';
import { call, useRefresh } from '#admin/lib/queries.ts';
import { useUnsaved } from '#admin/lib/unsaved.ts';
import { useCan, useViewer } from '#admin/lib/viewer.ts';
import { DISCARD, useConfirm } from '#admin/ui/confirm.ts';
import { Failed } from '#admin/ui/screen.tsx';
import { TreePicker } from '#admin/ui/tree-picker.tsx';
import { useOpenings } from '#admin/ui/use-openings.ts';

const SUPER = 'super';
/** Whoever has one of these can read everything, or bring anything in. */
const BOUNDLESS = ['transfer:create', 'backup:download'];

/** What one may give and take: what one has; super administrators everything. */
function useMayTouch(): (menu: Menu) => boolean {
  const { api } = useApp();
  const { user } = useViewer();
  const can = useCan();
  // Whoever may not ask is no super administrator.
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
  const fail = useFailures();
  const refresh = useRefresh();
  const confirm = useConfirm();
  const can = useCan();
  const mayTouch = useMayTouch();
  const menus = useQuery(call(api, 'GET core/sys/menu/'));
  const held = useQuery({ ...call(api, 'GET core/sys/role/menu/', { roleId: role.id }), staleTime: 0 });
  const [chosen, setChosen] = useState<Set<string>>();
  const [busy, setBusy] = useState(false);

  const tree = Array.isArray(menus.data) ? menus.data : undefined;
  const isSuper = role.code === SUPER;
  const readOnly = isSuper || !can('role:grant');
  const stored = new Set(isSuper ? flatten(tree ?? []).map(({ id }) => id) : held.data);
  const value = chosen ?? stored;
  const isSame = value.size === stored.size && [...value].every((id) => stored.has(id));
  const isDirty = () => open && !isSame;
  useUnsaved(isDirty, () => confirm(DISCARD));

  async function close(): Promise<void> {
    if (!busy && (!isDirty() || (await confirm(DISCARD)))) onClose();
  }

  async function save(): Promise<void> {
    setBusy(true);
    try {
      await api('PUT core/sys/role/menu/', { roleId: role.id, menuIds: [...value] });
      message.success(`已保存「${role.name}」的菜单`);
      onClose();
      await refresh();
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  }

  const boundless = flatten(tree ?? []).filter(
    ({ id, permission }) => value.has(id) && permission !== null && BOUNDLESS.includes(permission),
  );
  const error = menus.error ?? held.error;
  const isReady = tree !== undefined && held.data !== undefined;
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
      {isSuper || boundless.length === 0 ? null : (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 16 }}
          title={`「${boundless.map(({ name }) => name).join('」「')}」能取走全站的数据，几乎等于超级管理员，只给信得过的人。`}
        />
      )}
      {error === null || isReady ? null : (
        <Failed error={error} onRetry={() => void Promise.all([menus.refetch(), held.refetch()])} />
      )}
      {isReady || error !== null ? null : <Skeleton active paragraph={{ rows: 10 }} />}
      {isReady ? (
        <TreePicker menus={tree} value={value} onChange={setChosen} mayTouch={mayTouch} readOnly={readOnly} />
      ) : null}
    </Drawer>
  );
}

/** Which menus, and with them permissions, a role carries. */
export function RoleMenus({ role, onClose }: { role: Role | undefined; onClose: () => void }) {
  const { turn, shown } = useOpenings(role !== undefined, role);
  if (shown === undefined) return null;
  return <Panel key={turn} role={shown} open={role !== undefined} onClose={onClose} />;
}
