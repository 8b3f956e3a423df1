import type { Client } from '@mozhan/contract/client.ts';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useAct } from '#admin/lib/queries.ts';

export interface Question {
  title: string;
  text?: ReactNode;
  action?: string;
  danger?: boolean;
}

/** Asked when something typed would be lost. */
export const DISCARD: Question = {
  title: '放弃修改？',
  text: '有内容还没有保存。',
  action: '放弃',
  danger: true,
};

/** Asks before something is done: 确定 or 取消. */
export function useConfirm(): (question: Question) => Promise<boolean> {
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

interface Removal {
  /** 角色, 账号 … */
  kind: string;
  name: string;
  /** What becomes of it, where that is not plain. */
  text?: ReactNode;
  work: (api: Client) => Promise<unknown>;
}

/** Asks, naming the thing; then removes it. */
export function useConfirmRemove(): (removal: Removal) => Promise<boolean> {
  const confirm = useConfirm();
  const act = useAct();
  return async ({ kind, name, text = '删除后不能恢复。', work }) => {
    const title = `删除${kind}「${name}」？`;
    if (!(await confirm({ title, text, action: '删除', danger: true }))) return false;
    return act(work, `已删除${kind}「${name}」`);
  };
}
