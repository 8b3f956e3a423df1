import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { EssaySource } from '@mozhan/contract/essays.ts';
import { useRef, useState } from 'react';
import {
  type Draft,
  differingFields,
  type FieldName,
  fieldLabels,
  toDraft,
} from '#web/features/writing/draft.ts';
import type { EssayModel } from '#web/features/writing/essay-model.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { SideBySideEditor } from './compare.tsx';
import styles from './conflict-dialog.module.css';
import { WideDialog } from './wide-dialog.tsx';

interface ConflictDialogProps {
  essay: EssayModel;
  theirs: EssaySource;
  onOpenChange: (open: boolean) => void;
}

/** Fields whose values are displayed. */
const fieldsWithText = new Set<FieldName>(['title', 'summary', 'tags', 'price', 'declaration', 'source']);

const formatField = (draft: Draft, name: FieldName): string => {
  const value = draft[name];
  if (Array.isArray(value)) return value.join('、') || '（空）';
  return name === 'price' ? `${Number(value) / 100} 元` : String(value ?? '') || '（空）';
};

/** Shows both texts side by side: the author takes one or merges them. Both stay in the history. */
export function ConflictDialog({ essay, theirs, onOpenChange }: ConflictDialogProps) {
  const [mine] = useState(() => essay.read());
  const [server] = useState(() => toDraft(theirs));
  const [choices, setChoices] = useState<Partial<Record<FieldName, 'mine' | 'theirs'>>>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [differences, setDifferences] = useState(0);
  const text = useRef<{ read: () => string }>(undefined);
  const fields = differingFields(mine, server).filter((name) => name !== 'content');

  function mergeDraft(): Draft {
    const fieldsFromTheirs = fields.filter((name) => choices[name] === 'theirs');
    const changes = Object.fromEntries(fieldsFromTheirs.map((name) => [name, server[name]]));
    return { ...mine, ...changes, content: text.current?.read() ?? mine.content };
  }

  async function resolve(chosen: Draft): Promise<void> {
    setBusy(true);
    try {
      if (!(await essay.resolveConflict(chosen))) return setProblem('别处又有了新的版本，请再比较一次');
      toast('已合并，两边的文字都在历史版本里');
      onOpenChange(false);
    } catch (error) {
      setProblem(errorMessageOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <WideDialog
      title="比较与合并"
      description="左边是别处保存的，右边是这里写的。每一处不同都可以选「用别处的」或「用这里的」；右边也可以直接改。"
      onOpenChange={onOpenChange}
      footer={
        <>
          <span className={styles.left} role="status">
            {differences === 0 ? '正文没有不同了' : `还有 ${differences} 处不同`}
          </span>
          <Button busy={busy} onClick={() => resolve(server)}>
            全用别处的
          </Button>
          <Button busy={busy} onClick={() => resolve(mine)}>
            全用这里的
          </Button>
          <Button variant="primary" busy={busy} onClick={() => resolve(mergeDraft())}>
            保存右边的文字
          </Button>
        </>
      }
    >
      {problem === '' ? null : <Alert tone="bad">{problem}</Alert>}
      {fields.length > 0 ? (
        <div className={`stack gap-3 divided ${styles.fields}`}>
          {fields.map((name) => (
            <ChoiceGroup
              key={name}
              name={name}
              legend={fieldLabels[name]}
              value={choices[name] ?? 'mine'}
              options={[
                {
                  value: 'theirs',
                  label: fieldsWithText.has(name) ? `别处：${formatField(server, name)}` : '用别处的',
                },
                {
                  value: 'mine',
                  label: fieldsWithText.has(name) ? `这里：${formatField(mine, name)}` : '用这里的',
                },
              ]}
              onChange={(choice) => setChoices({ ...choices, [name]: choice as 'mine' | 'theirs' })}
            />
          ))}
        </div>
      ) : null}
      <SideBySideEditor
        theirs={server.content}
        mine={mine.content}
        onReady={(ready) => {
          text.current = ready;
        }}
        onDifferences={setDifferences}
      />
    </WideDialog>
  );
}
