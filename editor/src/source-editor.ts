import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import {
  gotoLine,
  highlightSelectionMatches,
  selectNextOccurrence,
  selectSelectionMatches,
} from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec, type Transaction } from '@codemirror/state';
import { type Command, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import { commonEnds } from '@mozhan/contract/text-scan.ts';
import { boundedMarkdown } from './bounded-markdown.ts';
import { codeMirrorPhrases } from './codemirror-phrases.ts';
import { formatKeymap } from './commands.ts';
import { afterComposition } from './composition.ts';
import { openFind } from './find/open-find.ts';
import { continueList, indentItem, outdentItem } from './list-indent.ts';
import { parseTo } from './parse-to.ts';
import { slashMenu } from './slash-menu.ts';
import { sourceTheme } from './source-theme.ts';
import { tableKeymap } from './tables.ts';

/** CodeMirror uses constructed sheets in a shadow root; the content security policy blocks `<style>` elements. */
export function shadowRootOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

export function isInside(state: EditorState, names: readonly string[]): boolean {
  const { head } = state.selection.main;
  for (
    let node: { name: string; parent: unknown } | null = parseTo(state, head).resolveInner(head, -1);
    node !== null;
    node = node.parent as typeof node
  ) {
    if (names.includes(node.name)) return true;
  }
  return false;
}

/** Elsewhere the Tab key moves the focus out of the editor, as in any page. */
const whenInList =
  (command: Command): Command =>
  (view) =>
    isInside(view.state, ['ListItem', 'FencedCode']) && command(view);

const tabKeys: KeyBinding[] = [{ key: 'Tab', run: whenInList(indentItem), shift: whenInList(outdentItem) }];

const searchKeys: KeyBinding[] = [
  { key: 'Mod-f', run: openFind, preventDefault: true },
  { key: 'Mod-Alt-g', run: gotoLine },
  { key: 'Mod-Shift-l', run: selectSelectionMatches },
  { key: 'Mod-d', run: selectNextOccurrence, preventDefault: true },
];

/** Extensions shared by the editor and the comparison views. */
export const baseExtensions: Extension = [
  EditorView.lineWrapping,
  markdown({
    base: markdownLanguage,
    extensions: boundedMarkdown,
    completeHTMLTags: false,
    pasteURLAsLink: false,
  }),
  EditorState.phrases.of(codeMirrorPhrases),
  sourceTheme,
];

interface EditorSetup {
  host: HTMLElement;
  /** The accessible name of the editor. */
  label: string;
  text: string;
  readOnly: boolean;
  onChange: () => void;
  /** Called when the cursor moves, but not while typing. */
  onCursor: () => void;
  onScroll: () => void;
  onPictures: () => void;
  extensions: Extension;
}

const readOnlyCompartment = new Compartment();
const formattingCompartment = new Compartment();

/** Sets how the text is shown; the extension is empty for the source. */
export const setFormatting = (view: EditorView, extension: Extension): void =>
  view.dispatch({ effects: formattingCompartment.reconfigure(extension) });

const readOnlyExtension = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly) }),
];

export const setReadOnly = (view: EditorView, readOnly: boolean): void =>
  view.dispatch({ effects: readOnlyCompartment.reconfigure(readOnlyExtension(readOnly)) });

/** Events of each key that nothing outside the editor handles; React would search for their handlers in vain. */
const innerEvents = ['keypress', 'textInput', 'beforeinput', 'input', 'keyup'] as const;

/** One function, so that an editor that is opened again in the same element does not add listeners. */
const keepInside = (event: Event): void => event.stopPropagation();

const isTyping = (transaction: Transaction): boolean =>
  transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');

export function createSourceEditor(setup: EditorSetup): EditorView {
  const { host, label, text, readOnly, onChange, onCursor, onScroll, onPictures, extensions } = setup;
  const root = shadowRootOf(host);
  for (const type of innerEvents) root.addEventListener(type, keepInside);
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        extensions,
        formattingCompartment.of([]),
        // Before the keys of the Markdown language, which continue lists and quotes.
        Prec.high(keymap.of([...tableKeymap, { key: 'Enter', run: continueList }])),
        baseExtensions,
        history(),
        highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 100 }),
        slashMenu(onPictures),
        keymap.of([
          ...completionKeymap,
          ...formatKeymap,
          ...tabKeys,
          ...searchKeys,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        placeholder('从这里写起，行首输入 / 可以插入内容'),
        EditorView.contentAttributes.of({
          'aria-label': label,
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        readOnlyCompartment.of(readOnlyExtension(readOnly)),
        EditorView.domEventHandlers({ scroll: onScroll }),
        EditorView.updateListener.of(({ docChanged, selectionSet, transactions }) => {
          if (docChanged) onChange();
          if ((docChanged || selectionSet) && !transactions.every(isTyping)) onCursor();
        }),
      ],
    }),
  });
}

/** Replaces only the differing part, so that the cursor and scroll position stay. */
function replaceText(view: EditorView, next: string): void {
  const current = view.state.doc.toString();
  if (current === next) return;
  const { prefix, suffix } = commonEnds(current, next);
  view.dispatch({
    changes: { from: prefix, to: current.length - suffix, insert: next.slice(prefix, next.length - suffix) },
  });
}

/** The editor's document as the saving code uses it. */
export interface TextDocument {
  read: () => string;
  replace: (text: string) => void;
  afterComposition: () => Promise<void>;
}

export const createTextDocument = (view: EditorView): TextDocument => ({
  read: () => view.state.doc.toString(),
  replace: (text) => replaceText(view, text.replace(/\r\n?/g, '\n')),
  afterComposition: () => new Promise((resolve) => afterComposition(view, resolve)),
});
