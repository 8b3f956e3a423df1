import { EditorView } from '@codemirror/view';
import { blockGapBefore } from './commands.ts';
import { isPicture, type PictureUploads } from './picture-uploads.ts';
import { afterComposition } from './source-editor.ts';

interface PasteSetup {
  pictures: PictureUploads;
  /** Receives dropped text files; without it they are rejected. */
  onTextFiles?: (files: File[]) => void;
  onError: (text: string) => void;
}

/** Other editors wrap plain text in spans, so only HTML with structure is converted. */
const STRUCTURE =
  /<(?:h[1-6]|p|ul|ol|li|table|blockquote|pre|strong|b|em|i|a|img|code|hr|del|s)[\s>]|class="?Mso/i;
/** Several blocks, or one that must begin a line. */
const BLOCKS = /\n\n|^(?:#{1,6} |[-*+>|] |\d+\. |```|!\[)/;
const FROM_CODE = /<(?:meta|div|span)[^<>]*(?:vscode|monospace)/i;

const isFormatted = (html: string): boolean => STRUCTURE.test(html) && !FROM_CODE.test(html.slice(0, 600));

async function insertConverted(
  view: EditorView,
  html: string,
  plain: string,
  onError: PasteSetup['onError'],
): Promise<void> {
  let text = plain;
  try {
    const { htmlToMarkdown } = await import('./html-to-markdown.ts');
    text = htmlToMarkdown(html) || plain;
  } catch {
    onError('没能转换格式，已按纯文字粘贴');
  }
  afterComposition(view, () => {
    const gap = BLOCKS.test(text) ? blockGapBefore(view.state, view.state.selection.main.from) : '';
    view.dispatch(view.state.replaceSelection(gap + text), {
      userEvent: 'input.paste',
      scrollIntoView: true,
    });
  });
}

/** Uploads pasted pictures and converts formatted text to Markdown; pasting with Shift inserts plain text. */
export function pasteAndDropHandlers({ pictures, onTextFiles, onError }: PasteSetup) {
  let isPlainRequested = false;
  return EditorView.domEventHandlers({
    keydown({ key, shiftKey, ctrlKey, metaKey }) {
      if (key.toLowerCase() === 'v' && (ctrlKey || metaKey)) isPlainRequested = shiftKey;
    },
    paste(event, view) {
      const data = event.clipboardData;
      if (data === null || view.state.readOnly) return false;
      const isPlain = isPlainRequested;
      isPlainRequested = false;
      const html = data.getData('text/html');
      const plain = data.getData('text/plain');
      const images = [...data.files].filter(isPicture);
      // Word adds a picture of the text to the text.
      if (images.length > 0 && plain.trim() === '') {
        event.preventDefault();
        pictures.add(images);
        return true;
      }
      if (isPlain || !isFormatted(html)) return false;
      event.preventDefault();
      void insertConverted(view, html, plain, onError);
      return true;
    },
    drop(event, view) {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      pictures.add(files.filter(isPicture), at);
      const texts =
        onTextFiles === undefined ? [] : files.filter((file) => /\.(md|markdown|zip|txt)$/i.test(file.name));
      if (texts.length > 0) onTextFiles?.(texts);
      if (texts.length + files.filter(isPicture).length < files.length)
        onError(onTextFiles === undefined ? '只能放进图片' : '只能放进图片、Markdown 文件和 zip');
      return true;
    },
  });
}
