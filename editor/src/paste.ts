import { EditorView } from '@codemirror/view';
import { gapBefore } from './commands.ts';
import { isPicture, type Pictures } from './pictures.ts';
import { whenSettled } from './source-editor.ts';

interface PasteSetup {
  pictures: Pictures;
  /** Text files that were dropped; without it they are none of ours. */
  onTexts?: (files: File[]) => void;
  onProblem: (text: string) => void;
}

/** Other editors wrap plain text in spans: nothing is gained by reading them. */
const STRUCTURE =
  /<(?:h[1-6]|p|ul|ol|li|table|blockquote|pre|strong|b|em|i|a|img|code|hr|del|s)[\s>]|class="?Mso/i;
/** Several blocks, or one that must begin a line. */
const BLOCKS = /\n\n|^(?:#{1,6} |[-*+>|] |\d+\. |```|!\[)/;
const FROM_CODE = /<(?:meta|div|span)[^<>]*(?:vscode|monospace)/i;

const worthReading = (html: string): boolean => STRUCTURE.test(html) && !FROM_CODE.test(html.slice(0, 600));

async function insertConverted(
  view: EditorView,
  html: string,
  plain: string,
  onProblem: PasteSetup['onProblem'],
): Promise<void> {
  let text = plain;
  try {
    const { htmlToMarkdown } = await import('./html-to-markdown.ts');
    text = htmlToMarkdown(html) || plain;
  } catch {
    onProblem('没能转换格式，已按纯文字粘贴');
  }
  whenSettled(view, () => {
    const gap = BLOCKS.test(text) ? gapBefore(view.state, view.state.selection.main.from) : '';
    view.dispatch(view.state.replaceSelection(gap + text), {
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
  });
}

/** Pictures are sent, formatted text becomes Markdown; pasting with Shift stays plain. */
export function pasteAndDrop({ pictures, onTexts, onProblem }: PasteSetup) {
  let plainWanted = false;
  return EditorView.domEventHandlers({
    keydown({ key, shiftKey, ctrlKey, metaKey }) {
      if (key.toLowerCase() === 'v' && (ctrlKey || metaKey)) plainWanted = shiftKey;
    },
    paste(event, view) {
      const data = event.clipboardData;
      if (data === null || view.state.readOnly) return false;
      const isPlain = plainWanted;
      plainWanted = false;
      const html = data.getData('text/html');
      const plain = data.getData('text/plain');
      const images = [...data.files].filter(isPicture);
      // Word sends a picture of the text along with the text.
      if (images.length > 0 && plain.trim() === '') {
        event.preventDefault();
        pictures.add(images);
        return true;
      }
      if (isPlain || !worthReading(html)) return false;
      event.preventDefault();
      void insertConverted(view, html, plain, onProblem);
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      pictures.add(files.filter(isPicture), at);
      const texts =
        onTexts === undefined ? [] : files.filter((file) => /\.(md|markdown|zip|txt)$/i.test(file.name));
      if (texts.length > 0) onTexts?.(texts);
      if (texts.length + files.filter(isPicture).length < files.length)
        onProblem(onTexts === undefined ? '只能放进图片' : '只能放进图片、Markdown 文件和 zip');
      return true;
    },
  });
}
