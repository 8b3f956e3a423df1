import { messageOf } from '@mozhan/client/errors.ts';
import type { EssaySource } from '@mozhan/contract/essays.ts';
import { useRef, useState } from 'react';
import { type Draft, differing, type FieldName, fieldLabels, toDraft } from '#web/features/writing/draft.ts';
import type { Writing } from '#web/features/writing/writing.ts';
import { Button } from '#web/ui/button.tsx';
import { Choices } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { SideBySide } from './compare.tsx';
import styles from './conflict.module.css';
import { WideDialog } from './wide-dialog.tsx';

interface ConflictProps {
  writing: Writing;
  theirs: EssaySource;
  onOpenChange: (open: boolean) => void;
}

/** Fields whose value says something by itself. */
const readable = new Set<FieldName>(['title', 'summary', 'tags', 'price', 'declaration', 'source']);

const say = (draft: Draft, name: FieldName): string => {
  const value = draft[name];
  if (Array.isArray(value)) return value.join('、') || '（空）';
  return name === 'price' ? `${Number(value) / 100} 元` : String(value ?? '') || '（空）';
};

/** Both texts beside each other: take one, or put them together piece by piece. Both stay in the history. */
export function Conflict({ writing, theirs, onOpenChange }: ConflictProps) {
  const [mine] = useState(() => writing.read());
  const [server] = useState(() => toDraft(theirs));
  const [ours, setOurs] = useState<Partial<Record<FieldName, 'mine' | 'theirs'>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const text = useRef<{ read: () => string }>(undefined);
  const fields = differing(mine, server).filter((name) => name !== 'content');

  function merged(): Draft {
    const taken = fields.filter((name) => ours[name] === 'theirs');
    const changes = Object.fromEntries(taken.map((name) => [name, server[name]]));
    return { ...mine, ...changes, content: text.current?.read() ?? mine.content };
  }

  async function settle(chosen: Draft): Promise<void> {
    setBusy(true);
    try {
      if (!(await writing.settle(chosen))) return setProblem('别处又有了新的版本，请再比较一次');
      toast('已合并，两边的文字都在历史版本里');
      onOpenChange(false);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <WideDialog
      title="比较与合并"
      description="左边是别处保存的，右边是这里写的。点两边之间的箭头，把左边的一处放到右边；右边也可以直接改。"
      onOpenChange={onOpenChange}
      footer={
        <>
          <Button busy={busy} onClick={() => settle(server)}>
            全用左边的
          </Button>
          <Button busy={busy} onClick={() => settle(mine)}>
            全用我的
          </Button>
          <Button look="primary" busy={busy} onClick={() => settle(merged())}>
            保存右边的文字
          </Button>
        </>
      }
    >
      {problem === '' ? null : <Notice tone="bad">{problem}</Notice>}
      {fields.length > 0 ? (
        <div className={`stack gap-3 divided ${styles.fields}`}>
          {fields.map((name) => (
            <Choices
              key={name}
              name={name}
              legend={fieldLabels[name]}
              value={ours[name] ?? 'mine'}
              options={[
                { value: 'theirs', label: readable.has(name) ? `左边：${say(server, name)}` : '用左边的' },
                { value: 'mine', label: readable.has(name) ? `我的：${say(mine, name)}` : '用我的' },
              ]}
              onChange={(choice) => setOurs({ ...ours, [name]: choice as 'mine' | 'theirs' })}
            />
          ))}
        </div>
      ) : null}
      <SideBySide
        theirs={server.content}
        mine={mine.content}
        onReady={(ready) => {
          text.current = ready;
        }}
      />
    </WideDialog>
  );
}
