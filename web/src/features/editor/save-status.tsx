import { excessCharacters } from '@mozhan/contract/content-length.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useRef } from 'react';
import type { SaveState } from '#web/features/writing/autosave.ts';
import { fieldLabels } from '#web/features/writing/draft.ts';
import type { EssayModel } from '#web/features/writing/essay-model.ts';
import { useApp } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './editor-screen.module.css';

export const saveStateLabels: Record<SaveState['kind'], string> = {
  saved: '已保存',
  waiting: '已存本机',
  saving: '保存中…',
  offline: '离线，已存本机',
  signIn: '需要登录，已存本机',
  conflict: '有冲突',
  gone: '已被删除，文字还在本机',
  shut: '不能修改，文字还在本机',
  refused: '没有保存',
};

const icons = { saved: 'check', waiting: 'check', saving: 'refresh' } as const;

/** The label for screen readers: it changes on failure and recovery, not at every save. */
function useAnnouncedLabel(kind: SaveState['kind'], label: string): string {
  const announced = useRef('');
  if (kind !== 'waiting' && kind !== 'saving') announced.current = label;
  return announced.current;
}

export function SaveStatus({ essay: { autosave, canStoreLocally } }: { essay: EssayModel }) {
  const state = useStoreValue(autosave);
  const isStoredLocally = useStoreValue(canStoreLocally);
  const isNew = state.kind === 'saved' && autosave.saved() === null;
  const label = isNew
    ? '还没有内容'
    : isStoredLocally
      ? saveStateLabels[state.kind]
      : saveStateLabels[state.kind].replace('，已存本机', '');
  const icon = state.kind in icons ? icons[state.kind as keyof typeof icons] : 'warn';
  const announced = useAnnouncedLabel(state.kind, label);
  return (
    <span className={`row gap-1 ink-3 text-s ${styles.saved}`} data-state={state.kind}>
      <Icon name={icon} small />
      <span>{label}</span>
      <span className="sr" role="status" aria-live="polite">
        {announced}
      </span>
    </span>
  );
}

export function SavedAt({ essay: { autosave } }: { essay: EssayModel }) {
  const state = useStoreValue(autosave);
  if (state.kind !== 'saved' || state.time === null) return <span>{saveStateLabels[state.kind]}</span>;
  return (
    <span className={styles.ok}>
      <Icon name="check" small />
      已保存 {formatTime(state.time).slice(0, 5)}
    </span>
  );
}

interface SaveFailureNoticeProps {
  essay: EssayModel;
  onCompare: () => void;
}

export function SaveFailureNotice({ essay, onCompare }: SaveFailureNoticeProps) {
  const { basePath } = useApp();
  const { autosave } = essay;
  const state = useStoreValue(autosave);
  const theirs = useStoreValue(essay.theirs);

  /** The other version may not be loaded yet. */
  async function compare(): Promise<void> {
    if (theirs === null) await essay.loadNewerVersion();
    if (essay.theirs.get() !== null) onCompare();
  }

  if (state.kind === 'signIn') {
    return (
      <Alert tone="warn">
        登录已过期，写的内容都在本机。
        <a className="link" href={`${basePath}/login.html`} target="_blank" rel="noreferrer">
          在新标签页登录
        </a>
        ，之后会自动继续保存。
      </Alert>
    );
  }
  if (state.kind === 'conflict') {
    return (
      <Alert tone="warn">
        {theirs === null
          ? '这篇文章在别处有了新的版本，正在取来比较…'
          : '这篇文章在别处也改过，两边的文字都还在。'}
        <Button size="small" onClick={compare}>
          比较与合并
        </Button>
      </Alert>
    );
  }
  if (state.kind === 'gone') {
    return (
      <Alert tone="bad">
        这篇文章已被删除，无法再保存；文字还在这里。
        <Button size="small" onClick={() => essay.saveAsNewEssay()}>
          存为新的草稿
        </Button>
      </Alert>
    );
  }
  if (state.kind === 'shut') {
    return (
      <Alert tone="warn">
        文章在别处已提交审核或等待上架，这里的改动存在本机，撤回之后会接着保存。
        <Button size="small" onClick={() => void essay.refresh().catch(() => {})}>
          查看状态
        </Button>
      </Alert>
    );
  }
  // A text that is too long has a notice of its own.
  if (state.kind === 'refused' && excessCharacters(essay.read().content) > 0) return null;
  if (state.kind === 'refused') {
    const details = Object.entries(state.fields).map(
      ([name, message]) =>
        `${name in fieldLabels ? fieldLabels[name as keyof typeof fieldLabels] : name}：${message}`,
    );
    return (
      <Alert tone="bad">
        没有保存到服务器：{details.length > 0 ? details.join('；') : state.message}
        <Button size="small" onClick={() => autosave.retry()}>
          再试一次
        </Button>
      </Alert>
    );
  }
  return null;
}
