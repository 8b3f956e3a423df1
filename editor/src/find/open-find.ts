import { type Command, EditorView } from '@codemirror/view';

/** Loads the panel and its worker, so that they work when the network is lost later. */
export const preloadFind = async (): Promise<void> => (await import('./find.ts')).preload();

/** Opens the panel for find and replace, which is loaded at its first use. */
export const openFind: Command = (view) => {
  import('./find.ts').then(
    ({ showFind }) => showFind(view),
    () => view.dispatch({ effects: EditorView.announce.of('没能载入查找，请检查网络') }),
  );
  return true;
};
