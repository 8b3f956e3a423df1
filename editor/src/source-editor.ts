import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { syntaxTree } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { type Command, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import { keys } from './commands.ts';
import { phrases } from './phrases.ts';
import { slashMenu } from './slash-menu.ts';
import { sourceLook } from './source-theme.ts';
import { nextCell, previousCell } from './tables.ts';

/** The page's policy refuses `<style>` elements; inside a shadow root CodeMirror uses constructed sheets, which pass. */
export function shadowOf(host: HTMLElement): ShadowRoot {
  return host.shadowRoot ?? host.attachShadow({ mode: 'open' });
}

function isInside(state: EditorState, names: readonly string[]): boolean {
  for (
    let node: { name: string; parent: unknown } | null = syntaxTree(state).resolveInner(
      state.selection.main.head,
      -1,
    );
    node !== null;
    node = node.parent as typeof node
  ) {
    if (names.includes(node.name)) return true;
  }
  return false;
}

/** The Tab key leaves the text, as everywhere, except where a writer means something else by it. */
const inList =
  (command: Command): Command =>
  (view) =>
    isInside(view.state, ['ListItem', 'FencedCode']) && command(view);

const tabKeys: KeyBinding[] = [
  { key: 'Tab', run: nextCell, shift: previousCell },
  { key: 'Tab', run: inList(indentMore), shift: inList(indentLess) },
];

/** What the main text and the comparisons share. */
export const sourceBasics: Extension = [
  EditorView.lineWrapping,
  markdown({ base: markdownLanguage, completeHTMLTags: false, pasteURLAsLink: false }),
  EditorState.phrases.of(phrases),
  sourceLook,
];

interface EditorSetup {
  host: HTMLElement;
  /** What it is called for those who do not see it. */
  label: string;
  text: string;
  readOnly: boolean;
  onChange: () => void;
  onCursor: () => void;
  onScroll: () => void;
  onPictures: () => void;
  extensions: Extension;
}

const editing = new Compartment();

const locked = (readOnly: boolean): Extension => [
  EditorState.readOnly.of(readOnly),
  EditorView.contentAttributes.of({ 'aria-readonly': String(readOnly) }),
];

export const setReadOnly = (view: EditorView, readOnly: boolean): void =>
  view.dispatch({ effects: editing.reconfigure(locked(readOnly)) });

export function createSourceEditor(setup: EditorSetup): EditorView {
  const { host, label, text, readOnly, onChange, onCursor, onScroll, onPictures, extensions } = setup;
  const root = shadowOf(host);
  return new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        extensions,
        sourceBasics,
        history(),
        search({ top: true }),
        highlightSelectionMatches({ minSelectionLength: 2, maxMatches: 100 }),
        autocompletion({ override: [slashMenu(onPictures)], icons: false, interactionDelay: 0 }),
        keymap.of([
          ...completionKeymap,
          ...keys,
          ...tabKeys,
          ...searchKeymap,
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
        editing.of(locked(readOnly)),
        EditorView.domEventHandlers({ scroll: onScroll }),
        EditorView.updateListener.of(({ docChanged, selectionSet }) => {
          if (docChanged) onChange();
          if (docChanged || selectionSet) onCursor();
        }),
      ],
    }),
  });
}

/** Runs at once, or when the character that is being composed is there. */
export function whenSettled(view: EditorView, run: () => void): void {
  if (!view.composing) {
    run();
    return;
  }
  view.contentDOM.addEventListener('compositionend', () => setTimeout(() => whenSettled(view, run)), {
    once: true,
  });
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at;
}

/** Only what differs is replaced, so that cursor and place stay. */
function replaceText(view: EditorView, next: string): void {
  const now = view.state.doc.toString();
  if (now === next) return;
  const from = commonStart(now, next);
  let end = 0;
  const most = Math.min(now.length, next.length) - from;
  while (end < most && now.charCodeAt(now.length - 1 - end) === next.charCodeAt(next.length - 1 - end))
    end += 1;
  view.dispatch({ changes: { from, to: now.length - end, insert: next.slice(from, next.length - end) } });
}

/** The editor's document, as far as saving needs it. */
export interface TextPort {
  read: () => string;
  replace: (text: string) => void;
  /** When no character is being composed. */
  settled: () => Promise<void>;
}

export const textPort = (view: EditorView): TextPort => ({
  read: () => view.state.doc.toString(),
  replace: (text) => replaceText(view, text.replace(/\r\n?/g, '\n')),
  settled: () => new Promise((resolve) => whenSettled(view, resolve)),
});
