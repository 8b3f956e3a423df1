/** Puts words where the selection is, in a way that can be undone. */
export function insertText(area: HTMLTextAreaElement, words: string): void {
  area.focus();
  if (document.execCommand('insertText', false, words)) return;
  area.setRangeText(words, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
