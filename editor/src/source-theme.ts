import { syntaxTree } from '@codemirror/language';
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const MONO =
  'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", "PingFang SC", "Microsoft YaHei", monospace';

/** Classes of the nodes of the Markdown grammar; other nodes are plain. */
const classes: Record<string, string> = {
  ATXHeading1: 'md-heading',
  ATXHeading2: 'md-heading',
  ATXHeading3: 'md-heading',
  ATXHeading4: 'md-heading',
  ATXHeading5: 'md-heading',
  ATXHeading6: 'md-heading',
  SetextHeading1: 'md-heading',
  SetextHeading2: 'md-heading',
  StrongEmphasis: 'md-strong',
  Emphasis: 'md-stress',
  Strikethrough: 'md-strike',
  InlineCode: 'md-code',
  FencedCode: 'md-code',
  CodeBlock: 'md-code',
  HTMLBlock: 'md-code',
  HTMLTag: 'md-code',
  URL: 'md-faint',
  LinkLabel: 'md-faint',
  LinkMark: 'md-faint',
  Link: 'md-link',
  Image: 'md-link',
  QuoteMark: 'md-mark',
  ListMark: 'md-mark',
  TaskMarker: 'md-mark',
  TableDelimiter: 'md-faint',
  HorizontalRule: 'md-faint',
  Escape: 'md-faint',
};

const marks = Object.fromEntries(
  [...new Set(Object.values(classes))].map((className) => [className, Decoration.mark({ class: className })]),
);

function createDecorations({ state, visibleRanges }: EditorView): DecorationSet {
  const found: { from: number; to: number; className: string }[] = [];
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter({ name, from: start, to: end }) {
        const className = classes[name];
        // Only the visible part of a long block is decorated.
        if (className !== undefined && start < end)
          found.push({ from: Math.max(start, from), to: Math.min(end, to), className });
      },
    });
  }
  const builder = new RangeSetBuilder<Decoration>();
  found.sort((a, b) => a.from - b.from || b.to - a.to);
  for (const { from, to, className } of found) {
    const mark = marks[className];
    if (mark !== undefined && from < to) builder.add(from, to, mark);
  }
  return builder.finish();
}

/** Highlights Markdown in the visible ranges, with the colours of the page. */
const highlighter = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    /** True after an update during a composition. */
    isOutdated = false;

    constructor(view: EditorView) {
      this.decorations = createDecorations(view);
    }

    update({ view, changes, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      // An input method may lose its text if the marks around it are replaced.
      if (view.composing) {
        this.decorations = this.decorations.map(changes);
        this.isOutdated = true;
      } else if (
        this.isOutdated ||
        docChanged ||
        viewportChanged ||
        syntaxTree(startState) !== syntaxTree(state)
      ) {
        this.decorations = createDecorations(view);
        this.isOutdated = false;
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const button = {
  padding: '4px 10px',
  border: '1px solid var(--line-strong)',
  borderRadius: 'var(--r1)',
  background: 'var(--surface)',
  color: 'var(--ink)',
  font: 'inherit',
  cursor: 'pointer',
};

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: MONO, fontSize: '15px', lineHeight: '1.9', overflowX: 'hidden' },
  '.cm-content': {
    padding: '32px max(32px, calc(50% - 340px)) 30vh',
    caretColor: 'var(--brand-ink)',
    overflowWrap: 'anywhere',
  },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--warn-tint)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-tint)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--brand-soft)' },
  '.cm-content ::selection, .cm-line::selection': { backgroundColor: 'var(--brand-soft)' },
  '.cm-panels': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-s)',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': {
    padding: '4px 8px',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--r1)',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: 'inherit',
  },
  '.cm-button': { ...button, backgroundImage: 'none' },
  '.cm-button:hover': { borderColor: 'var(--line-control)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--r3)',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    minWidth: '232px',
    maxHeight: '320px',
    padding: '6px',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-m)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    minHeight: '36px',
    padding: '0 10px',
    borderRadius: 'var(--r2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--brand-tint)',
    color: 'var(--brand-ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > completion-section': {
    display: 'block',
    padding: '8px 10px 2px',
    border: '0',
    opacity: '1',
    color: 'var(--ink-3)',
    fontSize: 'var(--text-xs)',
  },
  '.cm-slash-icon': {
    flex: 'none',
    width: '18px',
    height: '18px',
    marginRight: '10px',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: '1.6',
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
    color: 'var(--ink-3)',
  },
  'li[aria-selected] > .cm-slash-icon': { color: 'inherit' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    paddingLeft: '24px',
    color: 'var(--ink-2)',
    fontFamily: MONO,
    fontSize: '12px',
    fontStyle: 'normal',
  },
  '.md-heading, .md-strong': { fontWeight: '600' },
  '.md-stress': { textEmphasis: 'dot', textEmphasisPosition: 'under' },
  '.md-strike': { textDecoration: 'line-through' },
  '.md-code': { color: 'var(--info)' },
  '.md-mark': { color: 'var(--brand-ink)' },
  '.md-link': { color: 'var(--brand-ink)' },
  '.md-faint, .md-link .md-faint': { color: 'var(--ink-3)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--ok-tint)' },
  '.cm-deletedChunk, .cm-deletedLine': { backgroundColor: 'var(--bad-tint)' },
  '.cm-collapsedLines': { background: 'var(--fill)', color: 'var(--ink-2)', fontFamily: 'var(--sans)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"…"' },
  '.cm-chunkButtons button': { ...button, padding: '2px 8px' },
  '@media (max-width: 767.98px)': {
    '.cm-content': { padding: '20px 16px 30vh' },
    // With a smaller font, phones zoom in on focus.
    '.cm-scroller': { fontSize: '16px' },
  },
});

export const sourceTheme: Extension = [theme, highlighter];
