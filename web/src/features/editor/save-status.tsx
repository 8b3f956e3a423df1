import { useStore } from '@mozhan/editor/store.ts';
import { useRef } from 'react';
import type { SaveState } from '#web/features/writing/autosave.ts';
import { fieldLabels } from '#web/features/writing/draft.ts';
import type { Writing } from '#web/features/writing/writing.ts';
import { useApp } from '#web/lib/app-context.ts';
import { formatTime } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { Notice } from '#web/ui/notice.tsx';
import styles from './writer.module.css';

export const saveWords: Record<SaveState['at'], string> = {
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

/** Read out when something is wrong, and when it is well again; not at every save. */
function useSaidWords(at: SaveState['at'], words: string): string {
  const said = useRef('');
  if (at !== 'waiting' && at !== 'saving') said.current = words;
  return said.current;
}

export function SaveStatus({ writing: { autosave, keeps } }: { writing: Writing }) {
  const state = useStore(autosave);
  const kept = useStore(keeps);
  const isNew = state.at === 'saved' && autosave.saved() === null;
  const words = isNew
    ? '还没有内容'
    : kept
      ? saveWords[state.at]
      : saveWords[state.at].replace('，已存本机', '');
  const icon = state.at in icons ? icons[state.at as keyof typeof icons] : 'warn';
  const said = useSaidWords(state.at, words);
  return (
    <span className={`row gap-1 ink-3 text-s ${styles.saved}`} data-state={state.at}>
      <Icon name={icon} small />
      <span>{words}</span>
      <span className="sr" role="status" aria-live="polite">
        {said}
      </span>
    </span>
  );
}

/** Said in the status bar, with the minute. */
export function SavedAt({ writing: { autosave } }: { writing: Writing }) {
  const state = useStore(autosave);
  if (state.at !== 'saved' || state.time === null) return <span>{saveWords[state.at]}</span>;
  return (
    <span className={styles.ok}>
      <Icon name="check" small />
      已保存 {formatTime(state.time).slice(0, 5)}
    </span>
  );
}

interface SaveTroubleProps {
  writing: Writing;
  onCompare: () => void;
}

/** What has to be done before saving goes on. The text is safe meanwhile, and says so. */
export function SaveTrouble({ writing, onCompare }: SaveTroubleProps) {
  const { basePath } = useApp();
  const { autosave } = writing;
  const state = useStore(autosave);
  const theirs = useStore(writing.theirs);

  /** The other version may still have to be loaded. */
  async function compare(): Promise<void> {
    if (theirs === null) await writing.overtaken();
    if (writing.theirs.get() !== null) onCompare();
  }

  if (state.at === 'signIn') {
    return (
      <Notice tone="warn">
        登录已过期，写的内容都在本机。
        <a className="link" href={`${basePath}/login.html`} target="_blank" rel="noreferrer">
          在新标签页登录
        </a>
        ，之后会自动继续保存。
      </Notice>
    );
  }
  if (state.at === 'conflict') {
    return (
      <Notice tone="warn">
        {theirs === null
          ? '这篇文章在别处有了新的版本，正在取来比较…'
          : '这篇文章在别处也改过，两边的文字都还在。'}
        <Button size="small" onClick={compare}>
          比较与合并
        </Button>
      </Notice>
    );
  }
  if (state.at === 'gone') {
    return (
      <Notice tone="bad">
        这篇文章已被删除，无法再保存；文字还在这里。
        <Button size="small" onClick={() => writing.startAnew()}>
          存为新的草稿
        </Button>
      </Notice>
    );
  }
  if (state.at === 'shut') {
    return (
      <Notice tone="warn">
        文章在别处已提交审核或等待上架，这里的改动存在本机，撤回之后会接着保存。
        <Button size="small" onClick={() => void writing.refresh().catch(() => {})}>
          查看状态
        </Button>
      </Notice>
    );
  }
  if (state.at === 'refused') {
    const details = Object.entries(state.fields).map(
      ([name, sentence]) =>
        `${name in fieldLabels ? fieldLabels[name as keyof typeof fieldLabels] : name}：${sentence}`,
    );
    return (
      <Notice tone="bad">
        没有保存到服务器：{details.length > 0 ? details.join('；') : state.message}
        <Button size="small" onClick={() => autosave.retry()}>
          再试一次
        </Button>
      </Notice>
    );
  }
  return null;
}
