import { completionStatus } from '@codemirror/autocomplete';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import {
  type EditorState,
  type Extension,
  Prec,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { boundedMarkdown } from '../bounded-markdown.ts';
import { findCodeLanguage } from './code-languages.ts';
import { formatFormulaBlocks, formatRange, type Span } from './format-rules.ts';
import { liveTheme } from './live-theme.ts';
import { mathSyntax } from './math-syntax.ts';
import type { Uploads } from './widgets.ts';

/** Formulas this far outside the viewport are formed before they come into view. */
const SCOPE_MARGIN = 6000;
const COMPOSITION_CHECK_MS = 100;

interface LiveState {
  /** The part of the text around the viewport, outside which no block is formed. */
  scope: Span;
  isFocused: boolean;
  /** True while a mouse button is down: the text must not move under the pointer. */
  isPressed: boolean;
  blocks: DecorationSet;
}

const setLive = StateEffect.define<Partial<Pick<LiveState, 'scope' | 'isFocused' | 'isPressed'>>>();

const buildBlocks = (state: EditorState, { scope, isFocused }: LiveState): DecorationSet =>
  Decoration.set(formatFormulaBlocks(state, scope, isFocused), true);

const isComposition = (transaction: Transaction): boolean => transaction.isUserEvent('input.type.compose');

/** Decorations that replace lines must be known before the viewport is computed, so they are not in the plugin. */
const liveField = StateField.define<LiveState>({
  create(state) {
    const initial: LiveState = {
      scope: { from: 0, to: Math.min(state.doc.length, SCOPE_MARGIN) },
      isFocused: false,
      isPressed: false,
      blocks: Decoration.none,
    };
    return { ...initial, blocks: buildBlocks(state, initial) };
  },
  update(value, transaction) {
    const { changes, docChanged, selection, effects, startState, state } = transaction;
    const updates = effects.filter((effect) => effect.is(setLive));
    const isUnchanged =
      !docChanged &&
      selection === undefined &&
      updates.length === 0 &&
      syntaxTree(startState) === syntaxTree(state);
    if (isUnchanged) return value;
    const mapped: LiveState = {
      ...value,
      scope: { from: changes.mapPos(value.scope.from, -1), to: changes.mapPos(value.scope.to, 1) },
      blocks: value.blocks.map(changes),
    };
    const next = Object.assign(mapped, ...updates.map((effect) => effect.value));
    return next.isPressed || isComposition(transaction)
      ? next
      : { ...next, blocks: buildBlocks(state, next) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ blocks }) => blocks),
});

const isInside = ({ from, to }: Span, outer: Span): boolean => from >= outer.from && to <= outer.to;

const isFocusInside = ({ root, dom }: EditorView): boolean =>
  root.activeElement !== null && dom.contains(root.activeElement);

const createPlugin = (uploads: Uploads) =>
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      /** Set when an update was skipped, and made up for when the composition ends. */
      isOutdated = false;
      timer: ReturnType<typeof setTimeout> | undefined;
      readonly onRelease: () => void;
      readonly view: EditorView;

      constructor(view: EditorView) {
        this.view = view;
        this.decorations = this.build();
        this.onRelease = () => {
          if (view.state.field(liveField).isPressed)
            view.dispatch({ effects: setLive.of({ isPressed: false }) });
        };
        // The button may be released outside the editor.
        document.addEventListener('mouseup', this.onRelease, true);
        document.addEventListener('dragend', this.onRelease, true);
        this.updateLater();
      }

      build(): DecorationSet {
        const { state, visibleRanges } = this.view;
        const { isFocused } = state.field(liveField);
        return Decoration.set(
          visibleRanges.flatMap((range) => formatRange(state, range, isFocused, uploads)),
          true,
        );
      }

      update({
        view,
        changes,
        docChanged,
        selectionSet,
        viewportChanged,
        startState,
        state,
      }: ViewUpdate): void {
        const isChanged =
          docChanged ||
          selectionSet ||
          viewportChanged ||
          this.isOutdated ||
          startState.field(liveField, false) !== state.field(liveField) ||
          syntaxTree(startState) !== syntaxTree(state);
        if (!isChanged) return;
        // An input method loses its text if the nodes around it are replaced.
        if (view.composing || state.field(liveField).isPressed) {
          this.decorations = this.decorations.map(changes);
          this.isOutdated = true;
          this.waitForComposition();
        } else {
          this.decorations = this.build();
          this.isOutdated = false;
        }
        this.updateLater();
      }

      /** Not every browser sends the end of a composition to the element. */
      waitForComposition(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
          if (this.view.composing) this.waitForComposition();
          else if (this.isOutdated) this.view.dispatch({});
        }, COMPOSITION_CHECK_MS);
      }

      /** A plugin cannot change the state during an update. */
      updateLater(): void {
        const { view } = this;
        if (view.composing) return;
        const { scope, isFocused } = view.state.field(liveField);
        if (isInside(view.viewport, scope) && isFocused === isFocusInside(view)) return;
        queueMicrotask(() => {
          const value = view.state.field(liveField, false);
          if (value === undefined || view.composing) return;
          const { from, to } = view.viewport;
          view.dispatch({
            effects: setLive.of({
              scope: {
                from: Math.max(0, from - SCOPE_MARGIN),
                to: Math.min(view.state.doc.length, to + SCOPE_MARGIN),
              },
              isFocused: isFocusInside(view),
            }),
          });
        });
      }

      destroy(): void {
        clearTimeout(this.timer);
        document.removeEventListener('mouseup', this.onRelease, true);
        document.removeEventListener('dragend', this.onRelease, true);
      }
    },
    {
      decorations: (plugin) => plugin.decorations,
      eventObservers: {
        mousedown(event, view) {
          if (event.button === 0) view.dispatch({ effects: setLive.of({ isPressed: true }) });
        },
        focusin() {
          this.updateLater();
        },
        focusout() {
          // The next element has the focus only after this event.
          setTimeout(() => this.updateLater());
        },
      },
    },
  );

/** Vertical motion works with coordinates and would jump over a formed block; it goes into it instead. */
const moveIntoBlock =
  (forward: boolean): Command =>
  (view) => {
    const { main } = view.state.selection;
    const { blocks } = view.state.field(liveField);
    if (!main.empty || blocks.size === 0 || completionStatus(view.state) !== null) return false;
    const target = view.moveVertically(main, forward).head;
    let found: number | null = null;
    blocks.between(Math.min(main.head, target), Math.max(main.head, target), (from, to) => {
      const isAhead = forward ? from > main.head && from <= target : to < main.head && to >= target;
      if (from === to || !isAhead) return undefined;
      found = forward ? from : to;
      return forward ? false : undefined;
    });
    if (found === null) return false;
    view.dispatch({ selection: { anchor: found }, scrollIntoView: true, userEvent: 'select' });
    return true;
  };

/** Formulas and code inside are parsed only in this mode. */
export const liveMarkdown = (): Extension =>
  markdown({
    base: markdownLanguage,
    extensions: [mathSyntax, boundedMarkdown],
    codeLanguages: findCodeLanguage,
    addKeymap: false,
    completeHTMLTags: false,
    pasteURLAsLink: false,
  });

/** Shows formatted text except where the cursor is. The document stays Markdown, so history and clipboard are unaffected. */
export function liveFormatting(uploads: Uploads): Extension {
  return [
    Prec.highest(liveMarkdown()),
    liveField,
    createPlugin(uploads),
    keymap.of([
      { key: 'ArrowDown', run: moveIntoBlock(true) },
      { key: 'ArrowUp', run: moveIntoBlock(false) },
    ]),
    liveTheme,
  ];
}
