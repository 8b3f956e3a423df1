import { errorMessageOf } from '@mozhan/client/errors.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useState } from 'react';
import { isBlankDraft } from '#web/features/writing/draft.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApp } from '#web/lib/app-context.ts';
import { useCall } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.tsx';

/** Offers an example to a writer who has not written anything yet, and takes it away again. */
export function FirstDraft({ editor: { essay, changeCount, view } }: { editor: EditorModel }) {
  const { basePath } = useApp();
  const version = useStoreValue(essay.version);
  // The text is not part of the fields while it is edited.
  useStoreValue(changeCount);
  useStoreValue(essay.fields);
  const [state, setState] = useState<'offered' | 'shown' | 'done'>('offered');
  const [sample, setSample] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isNew = version === 0 && essay.author === null;
  const { data } = useCall('GET core/essay/own', {}, { enabled: isNew && state === 'offered' });

  async function show(): Promise<void> {
    try {
      const { sampleTitle, sampleContent } = await import('./sample-essay.ts');
      essay.startWith(sampleTitle, sampleContent);
      setSample(sampleContent);
      setState('shown');
      view.get()?.focus();
    } catch (error) {
      toast(errorMessageOf(error), 'warn');
    }
  }

  async function clear(): Promise<void> {
    setBusy(true);
    try {
      await essay.discard();
      history.replaceState(history.state, '', `${basePath}/essay/create.html`);
      setState('done');
      toast('示例已删除，从头写吧');
      view.get()?.focus();
    } catch (error) {
      toast(errorMessageOf(error), 'warn');
    } finally {
      setBusy(false);
    }
  }

  // A text that the writer has changed is no sample any more, so it is not deleted with one click.
  if (state === 'shown' && (isBusy || essay.read().content === sample))
    return (
      <Alert key="shown">
        这是一篇示例，有公式、图表、表格和脚注，可以直接在上面改。
        <Button size="small" busy={isBusy} onClick={clear}>
          删除示例，从头写
        </Button>
        <Button size="small" variant="ghost" onClick={() => setState('done')}>
          留下
        </Button>
      </Alert>
    );
  if (state !== 'offered' || !isNew || data?.total !== 0 || !isBlankDraft(essay.read())) return null;
  return (
    <Alert key="offered">
      第一次来写？可以先看一篇示例，学会公式、图表、表格和脚注怎样写。
      <Button size="small" onClick={show}>
        从示例开始
      </Button>
    </Alert>
  );
}
