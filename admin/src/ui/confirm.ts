import type { Client } from '@mozhan/contract/client.ts';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useAction } from '#admin/lib/queries.ts';

export interface ConfirmOptions {
  title: string;
  text?: ReactNode;
  action?: string;
  danger?: boolean;
}

/** For leaving a form with unsaved input. */
export const DISCARD_CHANGES: ConfirmOptions = {
  title: '放弃修改？',
  text: '有内容还没有保存。',
  action: '放弃',
  danger: true,
};

/** Opens a confirmation dialog; resolves to false on 取消. */
export function useConfirm(): (question: ConfirmOptions) => Promise<boolean> {
  const { modal } = App.useApp();
  return async ({ title, text, action = '确定', danger = false }) =>
    modal.confirm({
      title,
      content: text,
      okText: action,
      cancelText: '取消',
      okButtonProps: { danger },
      focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
    });
}

interface RemovalOptions {
  /** Chinese noun: 角色, 账号 … */
  kind: string;
  name: string;
  /** Consequences; default: it cannot be undone. */
  text?: ReactNode;
  work: (api: Client) => Promise<unknown>;
}

export function useConfirmRemove(): (removal: RemovalOptions) => Promise<boolean> {
  const confirm = useConfirm();
  const act = useAction();
  return async ({ kind, name, text = '删除后不能恢复。', work }) => {
    const title = `删除${kind}「${name}」？`;
    if (!(await confirm({ title, text, action: '删除', danger: true }))) return false;
    return act(work, `已删除${kind}「${name}」`);
  };
}
