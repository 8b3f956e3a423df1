import { EditorView } from '@codemirror/view';
import { blockGapBefore } from './commands.ts';
import { afterComposition } from './composition.ts';
import { convertHtml, MAX_HTML_LENGTH } from './convert-html.ts';
import { isPicture, type PictureUploads } from './picture-uploads.ts';
import { isInside } from './source-editor.ts';
import { isInTable } from './tables.ts';

interface PasteSetup {
  pictures: PictureUploads;
  /** Receives dropped text files; without it they are rejected. */
  onTextFiles?: (files: File[]) => void;
  onError: (text: string) => void;
}

/** Other editors wrap plain text in spans, so only HTML with structure is converted. */
const STRUCTURE =
  /<(?:h[1-6]|p|ul|ol|li|table|blockquote|pre|strong|b|em|i|a|img|code|hr|del|s|card|math|section)[\s>]|class="?Mso|class="katex/i;
/** Several blocks, or one that must begin a line. */
const BLOCKS = /\n\n|^(?:#{1,6} |[-*+>|] |\d+\. |```|!\[|\$\$)/;
const CODE = ['FencedCode', 'CodeBlock', 'InlineCode'];
const FROM_CODE = /<(?:meta|div|span)[^<>]*(?:vscode|monospace)/i;

const isFormatted = (html: string): boolean => STRUCTURE.test(html) && !FROM_CODE.test(html.slice(0, 600));

interface ClipboardTexts {
  html: string;
  rtf: string;
  plain: string;
}

/** The number after the largest one that is used as a footnote. */
function nextNote(view: EditorView): number {
  const used = [...view.state.doc.toString().matchAll(/\[\^(\d{1,6})\]/g)].map(([, number]) =>
    Number(number),
  );
  return Math.max(0, ...used) + 1;
}

function insertText(view: EditorView, text: string): void {
  const gap = BLOCKS.test(text) ? blockGapBefore(view.state, view.state.selection.main.from) : '';
  view.dispatch(view.state.replaceSelection(gap + text), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
}

async function insertConverted(
  view: EditorView,
  { html, rtf, plain }: ClipboardTexts,
  { pictures, onError }: PasteSetup,
): Promise<void> {
  if (html.length + rtf.length > MAX_HTML_LENGTH) {
    onError('粘贴的内容太大，已按纯文字粘贴');
    insertText(view, plain);
    return;
  }
  try {
    const { origin } = location;
    const converted = await convertHtml({ html, rtf, firstNote: nextNote(view), origin });
    afterComposition(view, () => {
      insertText(view, converted.text || plain);
      pictures.addPasted(converted.pictures);
    });
    if (converted.missing > 0) onError(`有 ${converted.missing} 张图片不在剪贴板里，没有带过来，请另外插入`);
  } catch {
    onError('没能转换格式，已按纯文字粘贴');
    afterComposition(view, () => insertText(view, plain));
  }
}

/** A cell is one line, in which a bar would end it. */
const toCellText = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .replace(/(?<!\\)\|/g, '\\|');

function insertIntoCell(view: EditorView, plain: string): void {
  view.dispatch(view.state.replaceSelection(toCellText(plain)), {
    userEvent: 'input.paste',
    scrollIntoView: true,
  });
}

/** Uploads pasted pictures and converts formatted text to Markdown; pasting with Shift inserts plain text. */
export function pasteAndDropHandlers(setup: PasteSetup) {
  const { pictures, onTextFiles, onError } = setup;
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
      if (isInside(view.state, CODE)) return false;
      if (isInTable(view.state) && /[\n|]/.test(plain.trim())) {
        event.preventDefault();
        insertIntoCell(view, plain);
        return true;
      }
      if (isPlain || !isFormatted(html)) return false;
      event.preventDefault();
      const rtf = html.includes('file:///') ? data.getData('text/rtf') : '';
      void insertConverted(view, { html, rtf, plain }, setup);
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
