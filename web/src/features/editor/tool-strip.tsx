import { Popover } from '@base-ui/react/popover';
import { Toolbar as Base } from '@base-ui/react/toolbar';
import { toolTitle } from '@mozhan/editor/tools.ts';
import {
  Fragment,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { countFitting } from './count-fitting.ts';
import styles from './toolbar.module.css';

export interface ToolEntry {
  label: string;
  icon: ReactElement;
  keys?: string | undefined;
  pressed?: boolean;
  disabled?: boolean;
  /** A divider stands before it. */
  startsGroup?: boolean;
  onClick?: () => void;
  /** The content of a popup, which opens instead of a click. */
  popup?: (close: () => void) => ReactElement;
}

const GAP = 2;
/** The line with its margins and the gaps around it. */
const DIVIDER = 13 + GAP;
const FALLBACK_TOOL = 44;

const toolClass = `${buttonClass({ variant: 'ghost', size: 'small', square: true })} ${styles.tool}`;

/** The number of tools that fit, known before each paint. */
function useFitting(tools: readonly ToolEntry[]) {
  const strip = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(tools.length);
  const latest = useRef(tools);
  latest.current = tools;
  const layout = tools.map(({ startsGroup, label }) => `${startsGroup ? '|' : ''}${label}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout changes with the list of tools
  useLayoutEffect(() => {
    const element = strip.current;
    if (element === null) return;
    const update = () => {
      const tool = (element.querySelector('button')?.offsetWidth ?? FALLBACK_TOOL) + GAP;
      setCount(countFitting(latest.current, element.clientWidth + GAP, { tool, divider: DIVIDER }));
    };
    update();
    // Observers run after layout and before paint, so the tools never overlap.
    const observer = new ResizeObserver(() => flushSync(update));
    observer.observe(element);
    return () => observer.disconnect();
  }, [layout]);
  return { strip, count };
}

/** Runs the callback at a press outside the element and at the Escape key. */
export function useDismiss(isOpen: boolean, inside: () => Element | null, onDismiss: () => void): void {
  const latest = useRef({ inside, onDismiss });
  latest.current = { inside, onDismiss };
  useEffect(() => {
    if (!isOpen) return;
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true };
    document.addEventListener(
      'pointerdown',
      ({ target }) => {
        if (!(target instanceof Node && latest.current.inside()?.contains(target)))
          latest.current.onDismiss();
      },
      options,
    );
    document.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.stopPropagation();
        latest.current.onDismiss();
      },
      options,
    );
    return () => stop.abort();
  }, [isOpen]);
}

/** In a list that stands below each other, the keys up and down move as left and right do in the toolbar. */
export function moveInList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const buttons: (Element | null)[] = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  const next = buttons.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % buttons.length);
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}

/** Tools open and close their popups by their own clicks. */
const isPopupTool = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[aria-haspopup="dialog"]') !== null;

interface OpenPopup {
  label: string;
  anchor: HTMLElement;
}

/** The tools that fit, and a button that shows the others. The text keeps the focus, so a phone's keyboard stays open. */
export function ToolStrip({ tools }: { tools: readonly ToolEntry[] }) {
  const { strip, count } = useFitting(tools);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const [popup, setPopup] = useState<OpenPopup | null>(null);
  const more = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const panelId = useId();
  const shown = tools.slice(0, count);
  const hidden = tools.slice(count);
  const opened = tools.find(({ label }) => label === popup?.label);

  useDismiss(
    isMoreOpen,
    () => box.current,
    () => {
      if (box.current?.contains(document.activeElement)) more.current?.focus();
      setMoreOpen(false);
    },
  );
  useEffect(() => {
    if (hidden.length === 0) setMoreOpen(false);
  }, [hidden.length]);

  const attributes = ({ label, keys, pressed, disabled, popup: content }: ToolEntry) => ({
    'aria-label': label,
    'aria-pressed': pressed,
    ...(content && { 'aria-haspopup': 'dialog' as const, 'aria-expanded': popup?.label === label }),
    disabled,
    title: toolTitle({ label, keys }),
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
  });
  const press = ({ label, popup: content, onClick }: ToolEntry, anchor: HTMLElement | null) => {
    setMoreOpen(false);
    if (content === undefined) onClick?.();
    else if (anchor !== null) setPopup(popup?.label === label ? null : { label, anchor });
  };

  return (
    <div ref={box} className={styles.box}>
      <div ref={strip} className={styles.strip}>
        {shown.map((tool, index) => (
          <Fragment key={tool.label}>
            {tool.startsGroup && index > 0 ? <Base.Separator className={styles.line} /> : null}
            <Base.Button
              {...attributes(tool)}
              className={toolClass}
              onClick={({ currentTarget }) => press(tool, currentTarget)}
            >
              {tool.icon}
            </Base.Button>
          </Fragment>
        ))}
        {hidden.length === 0 ? null : (
          <Base.Button
            ref={more}
            className={`${toolClass} ${styles.moreTool}`}
            aria-label="更多"
            title="更多"
            aria-expanded={isMoreOpen}
            aria-controls={panelId}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setMoreOpen(!isMoreOpen)}
          >
            <Icon name="more" />
          </Base.Button>
        )}
      </div>
      {isMoreOpen ? (
        // biome-ignore lint/a11y/useSemanticElements: not every browser can style a fieldset like this
        <div
          id={panelId}
          role="group"
          aria-label="更多工具"
          className={`popup text-m ${styles.panel} ${styles.more}`}
          onKeyDown={moveInList}
        >
          {hidden.map((tool, index) => (
            <Fragment key={tool.label}>
              {tool.startsGroup && index > 0 ? <Base.Separator className={styles.panelLine} /> : null}
              <Base.Button {...attributes(tool)} onClick={() => press(tool, more.current)}>
                {tool.icon}
                <span>{tool.label}</span>
                {tool.keys === undefined ? null : (
                  <kbd>{toolTitle({ label: '', keys: tool.keys }).trim()}</kbd>
                )}
              </Base.Button>
            </Fragment>
          ))}
        </div>
      ) : null}
      <Popover.Root
        open={opened?.popup !== undefined}
        onOpenChange={(isOpen, { event, reason }) => {
          if (isOpen || isPopupTool(event.target)) return;
          if (reason === 'escape-key') popup?.anchor.focus();
          setPopup(null);
        }}
      >
        <Popover.Portal>
          <Popover.Positioner className={styles.layer} sideOffset={6} anchor={popup?.anchor ?? null}>
            <Popover.Popup
              className={`popup text-m ${styles.popup}`}
              aria-label={popup?.label}
              finalFocus={false}
            >
              {opened?.popup?.(() => setPopup(null))}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}
