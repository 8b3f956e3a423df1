import { EditorView } from '@codemirror/view';

const icon = {
  display: 'block',
  width: '16px',
  height: '16px',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: '1.6',
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
};

export const findTheme = EditorView.theme({
  '.cm-find': { display: 'grid', gap: '6px', padding: '8px 12px' },
  '.cm-find-row': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '6px' },
  '.cm-find .cm-textfield': {
    boxSizing: 'border-box',
    flex: '1 1 120px',
    minWidth: '0',
    maxWidth: '260px',
    height: '32px',
    margin: '0',
  },
  '.cm-find .cm-textfield:focus-visible': { outline: '2px solid var(--brand-ink)', outlineOffset: '-1px' },
  '.cm-find .cm-button': { minHeight: '32px', margin: '0', padding: '4px 8px', fontSize: 'inherit' },
  '.cm-find .cm-button svg': icon,
  '.cm-find .cm-button:focus-visible': { outline: '2px solid var(--brand-ink)', outlineOffset: '1px' },
  '.cm-find-toggle': { color: 'var(--ink-2)' },
  '& .cm-find-toggle[aria-pressed="true"]': {
    borderColor: 'var(--brand-ink)',
    backgroundColor: 'var(--brand-tint)',
    color: 'var(--brand-ink)',
  },
  '.cm-find-status': {
    flex: '1 1 auto',
    color: 'var(--ink-2)',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-searchMatch-selected .cm-searchMatch': {
    outlineColor: 'var(--brand-ink)',
    backgroundColor: 'var(--brand-soft)',
  },
  '.cm-find-error': { color: 'var(--bad)' },
  '& .cm-find .cm-find-close': { borderColor: 'transparent', backgroundColor: 'transparent' },
  '@media (max-width: 767.98px)': {
    '.cm-find': { padding: '8px' },
    '.cm-find .cm-textfield': { flex: '1 1 40%', maxWidth: 'none', height: '40px', fontSize: '16px' },
    '.cm-find .cm-button': { minHeight: '40px' },
    // The field and the button to close share the first line.
    '.cm-find-row:first-child .cm-textfield': { flexBasis: '78%' },
    '.cm-find-row:first-child .cm-find-close': { order: '0' },
    '.cm-find-row:first-child > :not(.cm-textfield, .cm-find-close)': { order: '1' },
  },
});
