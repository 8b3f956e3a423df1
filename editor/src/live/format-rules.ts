import { syntaxTree } from '@codemirror/language';
import type { EditorState, Range } from '@codemirror/state';
import { Decoration, type WidgetType } from '@codemirror/view';
import { IterMode, type SyntaxNode, type SyntaxNodeRef } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { MAX_TAG_LENGTH, parsePictureTag } from '../pictures.ts';
import {
  BulletWidget,
  CodeLabelWidget,
  FormulaWidget,
  PictureWidget,
  RuleWidget,
  TaskWidget,
  type Uploads,
  UploadWidget,
} from './widgets.ts';

/** The same classes as in the HTML of the server. */
const codeHighlighter = tagHighlighter([
  { tag: tags.keyword, class: 'tk-keyword' },
  { tag: [tags.string, tags.regexp, tags.special(tags.string), tags.inserted], class: 'tk-string' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], class: 'tk-constant' },
  { tag: [tags.function(tags.variableName), tags.tagName], class: 'tk-function' },
  { tag: [tags.typeName, tags.className, tags.standard(tags.variableName)], class: 'tk-type' },
  { tag: tags.comment, class: 'tk-comment' },
  { tag: tags.deleted, class: 'tk-deleted' },
]);

const MAX_DEPTH = 5;
const UPLOAD = /^uploading:([0-9a-f]{10})$/;

export interface Span {
  from: number;
  to: number;
}

/** Whether the cursor or selection is in or at the edge of the span; without the focus there is none. */
export const isTouched = (state: EditorState, isFocused: boolean, { from, to }: Span): boolean =>
  isFocused && state.selection.ranges.some((range) => range.from <= to && range.to >= from);

/** The text of a widget is drawn as a whole, other than that of the editor. */
const MAX_FORMED = 4000;

/** Whether a display formula takes the place of its Markdown; inside a list or quote it stays as it was typed. */
const isFormed = (formula: SyntaxNode, isEdited: boolean): boolean =>
  !isEdited &&
  formula.to - formula.from <= MAX_FORMED &&
  formula.parent?.name === 'Document' &&
  formula.getChildren('MathMark').length > 1;

/** The display formulas in a part of the text, which replace several lines. */
export function formatFormulaBlocks(
  state: EditorState,
  scope: Span,
  isFocused: boolean,
): Range<Decoration>[] {
  const found: Range<Decoration>[] = [];
  syntaxTree(state).iterate({
    from: scope.from,
    to: scope.to,
    mode: IterMode.IgnoreMounts,
    enter({ name, from, to, node }) {
      if (name !== 'BlockMath') return name === 'Document';
      const [open, close] = node.getChildren('MathMark');
      if (open === undefined || close === undefined || to - from > MAX_FORMED) return false;
      const formula = state.sliceDoc(state.doc.lineAt(open.to).to, close.from).trim();
      const widget = new FormulaWidget(formula, true);
      const isEdited = isTouched(state, isFocused, { from, to });
      if (isFormed(node, isEdited))
        found.push(
          Decoration.replace({ widget, block: true }).range(
            state.doc.lineAt(from).from,
            state.doc.lineAt(to).to,
          ),
        );
      // The formula stays visible below its source while that is edited.
      else if (isEdited && formula !== '')
        found.push(Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.lineAt(to).to));
      return false;
    },
  });
  return found;
}

/** The decorations of one visible range. Marks are hidden where the cursor is elsewhere. */
export function formatRange(
  state: EditorState,
  visible: Span,
  isFocused: boolean,
  uploads: Uploads,
): Range<Decoration>[] {
  const { doc } = state;
  const tree = syntaxTree(state);
  const found: Range<Decoration>[] = [];
  let listDepth = 0;

  const touches = (span: Span) => isTouched(state, isFocused, span);
  const touchesLineOf = (position: number) => touches(doc.lineAt(position));
  const isOneLine = ({ from, to }: Span) => doc.lineAt(from).to >= to;
  const mark = (from: number, to: number, name: string) => {
    if (from < to) found.push(Decoration.mark({ class: name }).range(from, to));
  };
  const replace = (from: number, to: number, widget?: WidgetType) => {
    if (from < to) found.push(Decoration.replace(widget === undefined ? {} : { widget }).range(from, to));
  };
  const skipSpaces = (from: number, max: number) => {
    const [spaces = ''] =
      /^[ \t]*/.exec(doc.sliceString(from, Math.min(from + max, doc.lineAt(from).to))) ?? [];
    return from + spaces.length;
  };

  /** Adds a class to the visible lines of a block. */
  function styleLines({ from, to }: Span, nameOf: (line: Span) => string): void {
    let line = doc.lineAt(Math.max(from, visible.from));
    for (;;) {
      found.push(Decoration.line({ class: nameOf(line) }).range(line.from));
      if (line.to >= Math.min(to, visible.to) || line.number === doc.lines) return;
      line = doc.line(line.number + 1);
    }
  }

  function formatHeading({ from, to, node }: SyntaxNodeRef, level: string): void {
    styleLines({ from, to }, () => `lf-heading lf-h${level}`);
    if (touchesLineOf(from)) return;
    const [open, close] = node.getChildren('HeaderMark');
    // The underline of a heading in two lines stays visible.
    if (open === undefined || open.from !== from) return;
    replace(open.from, skipSpaces(open.to, to - open.to));
    if (close === undefined) return;
    const before = doc.sliceString(open.to, close.from);
    replace(open.to + before.trimEnd().length, close.to);
  }

  /** Hides the first and last marks of an inline construct. */
  function formatInline(node: SyntaxNodeRef, className: string, markName: string): void {
    mark(node.from, node.to, className);
    if (touches(node)) return;
    for (const each of node.node.getChildren(markName)) replace(each.from, each.to);
  }

  function formatLink({ from, to, node }: SyntaxNodeRef): boolean {
    const [open, close] = node.getChildren('LinkMark');
    const url = node.getChild('URL');
    if (open === undefined || close === undefined || url === null || open.to === close.from) return true;
    const title = doc.sliceString(url.from, url.to);
    found.push(Decoration.mark({ class: 'lf-link', attributes: { title } }).range(open.to, close.from));
    if (touches({ from, to }) || !isOneLine({ from: close.from, to })) return true;
    replace(from, open.to);
    replace(close.from, to);
    return true;
  }

  function showPicture({ from, to }: Span, widget: WidgetType, isEdited: boolean): void {
    const line = doc.lineAt(from);
    if (isEdited) found.push(Decoration.widget({ widget, side: 1 }).range(to));
    else replace(from, to, widget);
    if (!isEdited && line.text.trim().length === to - from)
      found.push(Decoration.line({ class: 'lf-figure' }).range(line.from));
  }

  function formatPicture({ from, to, node }: SyntaxNodeRef): void {
    const url = node.getChild('URL');
    const [, close] = node.getChildren('LinkMark');
    if (url === null || close === undefined || !isOneLine({ from, to })) return;
    const address = doc.sliceString(url.from, url.to).replace(/^<|>$/g, '');
    const token = UPLOAD.exec(address)?.[1];
    // The picture stays below its Markdown while that is edited.
    const isEdited = touches({ from, to });
    const widget =
      token === undefined
        ? new PictureWidget(address, doc.sliceString(from + 2, close.from), isEdited)
        : new UploadWidget(token, uploads, isEdited);
    showPicture({ from, to }, widget, isEdited);
  }

  /** A picture with a width, which is an HTML tag. Other HTML stays as typed. */
  function formatPictureTag({ from, to: end }: SyntaxNodeRef): boolean {
    const tag = doc.sliceString(from, Math.min(end, from + MAX_TAG_LENGTH)).trimEnd();
    const span = { from, to: from + tag.length };
    const fields = isOneLine(span) ? parsePictureTag(tag) : null;
    if (fields === null) return false;
    const isEdited = touches(span);
    showPicture(span, new PictureWidget(fields.url, fields.alt, isEdited, fields.width), isEdited);
    return !isEdited;
  }

  function formatFormula({ from, to, node }: SyntaxNodeRef): void {
    const [open, close] = node.getChildren('MathMark');
    if (open === undefined || close === undefined) return;
    if (touches({ from, to }) || !isOneLine({ from, to }) || to - from > MAX_FORMED)
      mark(from, to, 'lf-source');
    else replace(from, to, new FormulaWidget(doc.sliceString(open.to, close.from).trim(), false));
  }

  function formatCode({ from, to, node }: SyntaxNodeRef): void {
    const first = doc.lineAt(from).from;
    const last = doc.lineAt(to).from;
    const isClosed = node.getChildren('CodeMark').length > 1;
    styleLines({ from, to }, (line) => {
      const isLast = line.from === last && (isClosed || node.name === 'CodeBlock');
      return `lf-code${line.from === first ? ' lf-code-first' : ''}${isLast ? ' lf-code-last' : ''}`;
    });
    highlightTree(tree, codeHighlighter, mark, Math.max(from, visible.from), Math.min(to, visible.to));
    const [open, close] = node.getChildren('CodeMark');
    if (open === undefined) return;
    if (touches({ from, to })) {
      mark(open.from, open.to, 'md-faint');
      if (close !== undefined) mark(close.from, close.to, 'md-faint');
      return;
    }
    const info = node.getChild('CodeInfo');
    const name = info === null ? '' : doc.sliceString(info.from, info.to).split(/[\s{]/)[0];
    replace(open.from, doc.lineAt(open.from).to, new CodeLabelWidget(name ?? ''));
    if (close !== undefined) replace(close.from, doc.lineAt(close.from).to);
  }

  function formatListMark({ from, to, node }: SyntaxNodeRef): void {
    const line = doc.lineAt(from);
    found.push(Decoration.line({ class: 'lf-item' }).range(line.from));
    const indent = doc.sliceString(line.from, from).trim() === '' ? line.from : from;
    const task = node.nextSibling?.name === 'Task' ? node.nextSibling.getChild('TaskMarker') : null;
    const isOrdered = node.parent?.parent?.name === 'OrderedList';
    const end = task?.to ?? to;
    const isEdited = touches({ from: indent, to: end });
    if (!isEdited) replace(indent, from);
    if (isOrdered && task === null) mark(from, to, 'lf-number');
    else if (!isEdited) {
      const widget =
        task === null ? new BulletWidget() : new TaskWidget(/x/i.test(doc.sliceString(task.from, task.to)));
      replace(from, skipSpaces(end, 1), widget);
    }
  }

  function enter(node: SyntaxNodeRef): boolean {
    const { name, from, to } = node;
    const heading = /^(?:ATX|Setext)Heading(\d)$/.exec(name)?.[1];
    if (heading !== undefined) formatHeading(node, heading);
    else if (name === 'ListItem') {
      listDepth += 1;
      styleLines(node, () => `lf-list lf-d${Math.min(listDepth, MAX_DEPTH)}`);
    } else if (name === 'ListMark') formatListMark(node);
    else if (name === 'StrongEmphasis') formatInline(node, 'lf-strong', 'EmphasisMark');
    else if (name === 'Emphasis') formatInline(node, 'lf-stress', 'EmphasisMark');
    else if (name === 'Strikethrough') formatInline(node, 'lf-strike', 'StrikethroughMark');
    else if (name === 'InlineCode') formatInline(node, 'lf-inline-code', 'CodeMark');
    else if (name === 'Link') return formatLink(node);
    else if (name === 'Autolink') formatInline(node, 'lf-link', 'LinkMark');
    else if (name === 'Image') {
      formatPicture(node);
      return false;
    } else if (name === 'InlineMath') formatFormula(node);
    else if (name === 'BlockMath') {
      if (!isFormed(node.node, touches(node))) styleLines(node, () => 'lf-mono');
    } else if (name === 'FencedCode' || name === 'CodeBlock') formatCode(node);
    else if (name === 'Blockquote') {
      if (node.node.parent?.name !== 'Blockquote') styleLines(node, () => 'lf-quote');
    } else if (name === 'QuoteMark') {
      if (!touchesLineOf(from)) replace(from, skipSpaces(to, 1));
    } else if (name === 'HorizontalRule') {
      if (!touchesLineOf(from)) replace(from, to, new RuleWidget());
    } else if (name === 'HTMLTag') formatPictureTag(node);
    else if (name === 'Table' || (name === 'HTMLBlock' && !formatPictureTag(node)))
      styleLines(node, () => 'lf-mono');
    else if (name === 'Escape' && !touches(node)) replace(from, from + 1);
    return true;
  }

  tree.iterate({
    from: visible.from,
    to: visible.to,
    // Trees of code inside are read only by the highlighter.
    mode: IterMode.IgnoreMounts,
    enter,
    leave({ name }) {
      if (name === 'ListItem') listDepth -= 1;
    },
  });
  return found;
}
