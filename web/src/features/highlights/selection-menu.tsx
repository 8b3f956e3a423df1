import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { TextQuote } from '@mozhan/contract/anchoring.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { type HighlightColor, MAX_QUOTE_LENGTH } from '@mozhan/contract/highlight-colors.ts';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useCurrentUser } from '#web/lib/session.ts';
import { SignInLink } from '#web/router/sign-in-link.tsx';
import { Icon, type IconName } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import { ColorDots } from './color-dots.tsx';
import { useHighlightCalls } from './highlight-calls.ts';
import styles from './highlights.module.css';
import { placeBeside } from './place.ts';
import { createTextMap } from './text-map.ts';
import { useQuoteActions, useThoughtDialog } from './use-quote-actions.ts';

interface SelectedText {
  quote: TextQuote;
  words: string;
  rect: DOMRect;
}

/** A selection changes many times while the reader drags; the menu appears when it rests. */
const REST_MS = 250;

function readSelection(root: Element): SelectedText | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const map = createTextMap(root);
  const quote = map.quoteOf(selection.getRangeAt(0));
  const range = quote === null ? null : map.rangeOf(quote);
  if (quote === null || range === null) return null;
  return { quote, words: range.toString().trim(), rect: range.getBoundingClientRect() };
}

/** The selected part of the text while the selection rests; null without one. */
function useSelectedText(root: Element, menu: RefObject<HTMLElement | null>) {
  const [selected, setSelected] = useState<SelectedText | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDragging = false;
    const readSoon = (delay = REST_MS) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // A tap on the menu may clear the selection; the menu keeps its text.
        if (menu.current?.matches(':active, :focus-within')) return;
        if (!isDragging) setSelected(readSelection(root));
      }, delay);
    };
    document.addEventListener('selectionchange', () => readSoon(), { signal });
    document.addEventListener(
      'pointerdown',
      ({ pointerType, target }) => {
        isDragging = pointerType === 'mouse' && !(target instanceof Node && menu.current?.contains(target));
      },
      { signal },
    );
    for (const event of ['pointerup', 'pointercancel'] as const)
      document.addEventListener(
        event,
        () => {
          if (isDragging) readSoon(0);
          isDragging = false;
        },
        { signal },
      );
    readSoon(0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [root, menu]);
  return [selected, setSelected] as const;
}

interface MenuButtonProps {
  icon: IconName;
  label: string;
  onClick: () => unknown;
}

const MenuButton = ({ icon, label, onClick }: MenuButtonProps) => (
  <button type="button" className={styles.act} onClick={onClick}>
    <Icon name={icon} small />
    {label}
  </button>
);

interface SelectionMenuProps {
  essay: Essay;
  root: Element;
  /** The panel of a highlight is open, which has the same actions. */
  hasPanel: boolean;
}

/** Actions for the selected text: above it with a mouse, at the bottom of the screen on phones. */
export function SelectionMenu({ essay, root, hasPanel }: SelectionMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useSelectedText(root, menu);
  const [isBusy, setBusy] = useState(false);
  const isSignedIn = useCurrentUser() !== null;
  const { create } = useHighlightCalls(essay.id);
  const thought = useThoughtDialog();
  // The dialogs stay open when the selection is cleared.
  const last = useRef<SelectedText | null>(null);
  if (selected !== null) last.current = selected;
  const quote = last.current?.quote ?? null;
  const words = last.current?.words ?? '';
  const { canQuote, copy, quoteInComment, openPoster, posterDialog } = useQuoteActions(essay, quote, words);

  useLayoutEffect(() => {
    if (selected !== null && menu.current !== null) placeBeside(menu.current, selected.rect, 'above');
  }, [selected]);

  // Before the menu can be seen, so that no key is lost.
  useLayoutEffect(() => {
    if (selected === null) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isInside = menu.current?.contains(document.activeElement) === true;
      if (event.key === 'Escape') setSelected(null);
      else if (event.key === 'Tab' && !event.shiftKey && !isInside) {
        const first = menu.current?.querySelector<HTMLElement>('button, a');
        if (!first) return;
        event.preventDefault();
        first.focus();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [selected, setSelected]);

  function finish(): void {
    getSelection()?.removeAllRanges();
    setSelected(null);
  }

  async function highlight(color: HighlightColor): Promise<void> {
    if (quote === null) return;
    setBusy(true);
    try {
      await create(quote, { color });
      finish();
    } catch (error) {
      toast(errorMessageOf(error), 'bad');
    } finally {
      setBusy(false);
    }
  }

  const isTooLong = (quote?.exact.length ?? 0) > MAX_QUOTE_LENGTH;
  return (
    <>
      {selected === null || hasPanel ? null : (
        <div
          ref={menu}
          className={`popup ${styles.menu}`}
          role="toolbar"
          aria-label="选中的文字"
          // Keeps the selection.
          onMouseDown={(event) => event.preventDefault()}
        >
          {isTooLong ? (
            <span className={styles.remark}>最多划 {MAX_QUOTE_LENGTH} 个字</span>
          ) : isSignedIn ? (
            <>
              <ColorDots isBusy={isBusy} onPick={highlight} />
              <MenuButton icon="pen" label="写想法" onClick={thought.open} />
            </>
          ) : (
            <SignInLink className={styles.act}>
              <Icon name="pen" small />
              登录后划线
            </SignInLink>
          )}
          <MenuButton icon="copy" label="复制" onClick={() => copy().then(finish)} />
          {isSignedIn && canQuote && !isTooLong ? (
            <MenuButton
              icon="comment"
              label="引用"
              onClick={() => {
                quoteInComment();
                finish();
              }}
            />
          ) : null}
          {isTooLong ? null : <MenuButton icon="image" label="海报" onClick={openPoster} />}
        </div>
      )}
      <span className="sr" role="status">
        {selected === null || hasPanel ? '' : '按 Tab 键打开划线的菜单'}
      </span>
      {quote === null
        ? null
        : thought.dialog({
            essayId: essay.id,
            highlight: null,
            quote,
            words,
            canPublish: canQuote,
            onSaved: finish,
          })}
      {posterDialog}
    </>
  );
}
