import { Popover } from '@base-ui/react/popover';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { acceptHints, type PlacedHint } from '@mozhan/editor/text-hints.ts';
import { useEffect, useState } from 'react';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi } from '#web/lib/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { SwitchField } from '#web/ui/field.tsx';
import styles from './hints-button.module.css';
import type { TextCheck } from './text-check.ts';

const MAX_LISTED = 30;
const CONTEXT = 8;

interface HintListProps {
  title: string;
  acceptAllLabel: string;
  acceptLabel: string;
  hints: readonly PlacedHint[];
  editor: EditorModel;
  check: TextCheck;
}

function HintList({ title, acceptAllLabel, acceptLabel, hints, editor, check }: HintListProps) {
  const view = editor.view.get();
  if (view === null || hints.length === 0) return null;
  const { doc } = view.state;
  const before = (hint: PlacedHint) =>
    doc.sliceString(Math.max(doc.lineAt(hint.from).from, hint.from - CONTEXT), hint.from);
  const after = (hint: PlacedHint) =>
    doc.sliceString(hint.to, Math.min(doc.lineAt(hint.to).to, hint.to + CONTEXT));
  return (
    <section aria-label={title}>
      <header className={styles.head}>
        <strong>
          {title} {hints.length}
        </strong>
        <Button size="small" onClick={() => acceptHints(view, hints)}>
          {acceptAllLabel}
        </Button>
        <Button size="small" variant="ghost" onClick={() => check.ignore(hints)}>
          全部忽略
        </Button>
      </header>
      <ul className={styles.list}>
        {hints.slice(0, MAX_LISTED).map((hint) => (
          <li key={`${hint.from} ${hint.kind}`}>
            <button type="button" className={styles.place} onClick={() => editor.goTo(hint.from)}>
              <span>
                {before(hint)}
                <del>{doc.sliceString(hint.from, hint.to)}</del>
                <ins>{hint.insert === ' ' ? '␣' : hint.insert}</ins>
                {after(hint)}
              </span>
              <small>{hint.message}</small>
            </button>
            <Button size="small" variant="ghost" onClick={() => acceptHints(view, [hint])}>
              {acceptLabel}
            </Button>
            <Button size="small" variant="ghost" onClick={() => check.ignore([hint])}>
              忽略
            </Button>
          </li>
        ))}
      </ul>
      {hints.length > MAX_LISTED ? (
        <p className={styles.more}>还有 {hints.length - MAX_LISTED} 处，处理完这些再列出。</p>
      ) : null}
    </section>
  );
}

function HintsPopover({ editor, check }: { editor: EditorModel; check: TextCheck }) {
  const hints = useStoreValue(check.hints);
  const showsTypography = useStoreValue(check.showsTypography);
  const html = hints.filter(({ kind }) => kind === 'html');
  const typography = hints.filter(({ kind }) => kind !== 'html');
  return (
    <Popover.Root>
      <Popover.Trigger className={styles.button} data-warn={html.length > 0 || undefined}>
        {html.length > 0
          ? `${html.length} 处会被当成 HTML`
          : hints.length > 0
            ? `排版建议 ${hints.length}`
            : '排版'}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={styles.layer} side="top" align="end" sideOffset={6}>
          <Popover.Popup className={`popup ${styles.popup}`} aria-label="文字里的建议">
            <HintList
              title="会被当成 HTML"
              acceptAllLabel="全部改成代码"
              acceptLabel="改成代码"
              hints={html}
              editor={editor}
              check={check}
            />
            <HintList
              title="中文排版"
              acceptAllLabel="全部接受"
              acceptLabel="接受"
              hints={typography}
              editor={editor}
              check={check}
            />
            {hints.length === 0 ? <p className={styles.more}>没有要改的地方。</p> : null}
            <SwitchField
              name="typography"
              label="标出中文排版的建议"
              checked={showsTypography}
              onChange={({ target }) => check.setTypography(target.checked)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Loads the checks of the text after the editor, and shows what they found. */
export function HintsButton({ editor }: { editor: EditorModel }) {
  const api = useApi();
  const view = useStoreValue(editor.view);
  const changeCount = useStoreValue(editor.changeCount);
  const [check, setCheck] = useState<TextCheck>();

  useEffect(() => {
    if (view === null) return;
    let created: TextCheck | undefined;
    let isGone = false;
    import('./text-check.ts').then(
      ({ createTextCheck }) => {
        if (isGone) return;
        created = createTextCheck(api, editor);
        created.connect(view);
        setCheck(created);
      },
      () => {},
    );
    return () => {
      isGone = true;
      created?.stop();
      setCheck(undefined);
    };
  }, [api, editor, view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per typing pause
  useEffect(() => check?.check(), [check, changeCount]);

  return check === undefined ? null : <HintsPopover editor={editor} check={check} />;
}
