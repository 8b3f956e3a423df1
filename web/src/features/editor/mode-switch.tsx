import { Toolbar as Base } from '@base-ui/react/toolbar';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useId, useRef, useState, useSyncExternalStore } from 'react';
import { type EditorModel, isNarrowScreen, type ViewMode } from '#web/features/writing/editor-model.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import { moveInList, useDismiss } from './tool-strip.tsx';
import styles from './toolbar.module.css';

const modes: { mode: ViewMode; label: string; name?: string }[] = [
  { mode: 'source', label: '源码' },
  { mode: 'live', label: '即时', name: '即时排版' },
  { mode: 'split', label: '双栏' },
  { mode: 'preview', label: '预览' },
];

function subscribeToWidth(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

/** Whether the screen is that of a phone, where two panes do not fit. */
export const useNarrowScreen = (): boolean =>
  useSyncExternalStore(subscribeToWidth, isNarrowScreen, () => false);

/** On a phone one button that opens the list, so that more tools fit. */
export function ModeSwitch({ editor }: { editor: EditorModel }) {
  const mode = useStoreValue(editor.mode);
  const isNarrow = useNarrowScreen();
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const listId = useId();
  useDismiss(
    isOpen && isNarrow,
    () => box.current,
    () => setOpen(false),
  );
  const offered = isNarrow ? modes.filter((each) => each.mode !== 'split') : modes;
  const current = offered.find((each) => each.mode === mode) ?? offered[0];

  const buttons = offered.map((each) => (
    <Base.Button
      key={each.mode}
      data-mode={each.mode}
      aria-label={each.name}
      aria-pressed={current?.mode === each.mode}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        setOpen(false);
        editor.setMode(each.mode);
      }}
    >
      {isNarrow ? (each.name ?? each.label) : each.label}
    </Base.Button>
  ));

  if (!isNarrow)
    return (
      // biome-ignore lint/a11y/useSemanticElements: not every browser can style a fieldset like this
      <span className={styles.segment} role="group" aria-label="视图">
        {buttons}
      </span>
    );
  return (
    <div ref={box} className={styles.modes}>
      <Base.Button
        className={styles.mode}
        aria-label={`视图：${current?.name ?? current?.label}`}
        aria-expanded={isOpen}
        aria-controls={listId}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!isOpen)}
      >
        {current?.label}
        <Icon name="down" small />
      </Base.Button>
      {isOpen ? (
        // biome-ignore lint/a11y/useSemanticElements: not every browser can style a fieldset like this
        <div
          id={listId}
          role="group"
          aria-label="视图"
          className={`popup text-m ${styles.panel}`}
          onKeyDown={moveInList}
        >
          {buttons}
        </div>
      ) : null}
    </div>
  );
}
