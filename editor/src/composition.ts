import type { EditorView } from '@codemirror/view';

const CHECK_MS = 50;

/** Runs at once, or after the character that is being composed is complete. */
export function afterComposition(view: EditorView, run: () => void): void {
  if (!view.composing) run();
  // Polled, because with an edit context (Chrome on Android) the element gets no event.
  else setTimeout(() => afterComposition(view, run), CHECK_MS);
}
