import { history, undo } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** `«` and `»` in the text mark the start and end of the selection, `‸` a cursor. */
export function editorWith(marked: string) {
  const anchor = marked.includes('«') ? marked.indexOf('«') : marked.indexOf('‸');
  const head = marked.includes('»') ? marked.indexOf('»') - 1 : anchor;
  const view = {
    state: EditorState.create({
      doc: marked.replace(/[«»‸]/g, ''),
      selection: { anchor, head },
      extensions: [markdown({ base: markdownLanguage }), history()],
    }),
    dispatch(...specs: TransactionSpec[]) {
      view.state = view.state.update(...specs).state;
    },
    focus: () => {},
  };
  return {
    view: view as unknown as EditorView,
    text: () => view.state.doc.toString(),
    undo: () => undo({ state: view.state, dispatch: (transaction) => (view.state = transaction.state) }),
    selected: () => view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to),
  };
}
