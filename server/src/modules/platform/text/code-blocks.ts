import type { HighlighterCore, ThemeRegistration } from 'shiki/core';
import { hashSource } from './drawings.ts';
import { type Child, classesOf, createElement, createText, type Element, isElement, textOf } from './tree.ts';

/** Token classes and the grammar scopes they cover; of equally specific scopes the later one wins. */
const TOKENS: [className: string, scopes: string[]][] = [
  ['tk-comment', ['comment', 'punctuation.definition.comment', 'meta.diff.header']],
  [
    'tk-string',
    [
      'string',
      'punctuation.definition.string',
      'markup.inline.raw',
      'constant.other.symbol',
      'string.regexp',
    ],
  ],
  ['tk-constant', ['constant', 'support.constant', 'constant.character.escape', 'variable.language']],
  [
    'tk-keyword',
    [
      ...['keyword', 'storage', 'storage.type', 'keyword.control', 'keyword.operator.new', 'markup.heading'],
      ...['keyword.operator.expression', 'keyword.operator.word', 'entity.name.tag', 'markup.bold'],
    ],
  ],
  [
    'tk-function',
    ['entity.name.function', 'support.function', 'meta.function-call entity.name', 'markup.underline.link'],
  ],
  [
    'tk-type',
    [
      ...[
        'entity.name.type',
        'entity.name.class',
        'support.type',
        'support.class',
        'entity.other.inherited-class',
      ],
      ...['entity.other.attribute-name', 'support.type.property-name', 'meta.property-name'],
    ],
  ],
  [
    'tk-plain',
    ['keyword.operator', 'string punctuation.section.embedded', 'meta.template.expression', 'source sql'],
  ],
  ['tk-inserted', ['markup.inserted']],
  ['tk-deleted', ['markup.deleted']],
];
const PLAIN = '#000000';
/** The highlighter outputs only colours, so each colour encodes a class. */
const colourOf = (index: number) => `#0000${String(index + 10)}`;
const classByColour = new Map(TOKENS.map(([name], index) => [colourOf(index), name]));
classByColour.delete(colourOf(TOKENS.findIndex(([name]) => name === 'tk-plain')));

const theme: ThemeRegistration = {
  name: 'classes',
  type: 'light',
  settings: [
    { settings: { foreground: PLAIN, background: '#ffffff' } },
    ...TOKENS.map(([, scope], index) => ({ scope, settings: { foreground: colourOf(index) } })),
  ],
};

/** Code beyond this total length per text, and longer lines (generated code), are not highlighted. */
const MAX_HIGHLIGHTED_LENGTH = 60_000;
const MAX_LINE_LENGTH = 1000;

let highlighter: HighlighterCore | undefined;
let languageNames = new Map<string, string>();
const loadedLanguages = new Set<string>();

export async function loadLanguages(languages: Iterable<string>): Promise<void> {
  const [{ createHighlighterCore }, { createOnigurumaEngine }, { bundledLanguages, bundledLanguagesInfo }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/oniguruma'), import('shiki/langs')]);
  if (!highlighter) {
    highlighter = await createHighlighterCore({
      themes: [theme],
      langs: [],
      engine: createOnigurumaEngine(import('shiki/wasm')),
    });
    languageNames = new Map(
      bundledLanguagesInfo.flatMap(({ id, aliases = [], name }) =>
        [id, ...aliases].map((key) => [key, name]),
      ),
    );
  }
  for (const language of languages) {
    if (loadedLanguages.has(language) || !Object.hasOwn(bundledLanguages, language)) continue;
    await highlighter.loadLanguage(bundledLanguages[language as keyof typeof bundledLanguages]);
    loadedLanguages.add(language);
  }
}

const isCode = (node: Element): boolean =>
  node.tagName === 'pre' && node.children.length === 1 && isElement(node.children[0], 'code');

interface FenceInfo {
  language: string;
  title: string | undefined;
  isHighlighted: (line: number) => boolean;
}

/** Parses a fence such as ```ts {3,5-7} title="file.ts" */
function parseFenceInfo(code: Element): FenceInfo {
  const named = classesOf(code).find((name) => name.startsWith('language-')) ?? '';
  const [, language = '', attached = ''] = /^language-([^{]*)(.*)$/s.exec(named) ?? [];
  const info = `${attached} ${String(code.properties.dataMeta ?? '')}`;
  const ranges = (/\{([\d\s,-]*)\}/.exec(info)?.[1] ?? '').split(',').map((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return { from, to };
  });
  const [, double, single, bare] = /(?:^|\s)title=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(info) ?? [];
  return {
    language,
    title: (double ?? single ?? bare)?.trim() || undefined,
    isHighlighted: (line) => ranges.some(({ from, to }) => line >= from && line <= to),
  };
}

export const languageOf = (node: Element): string | undefined =>
  isCode(node) ? parseFenceInfo(node.children[0] as Element).language.toLowerCase() : undefined;

const PLAIN_TEXT_NAMES = new Map([
  ['', '代码'],
  ...['text', 'txt', 'plain', 'plaintext'].map((name) => [name, '纯文本'] as const),
]);

function highlightLines(source: string, language: string): Child[][] {
  if (!loadedLanguages.has(language))
    return source.split('\n').map((line) => (line === '' ? [] : [createText(line)]));
  const lines = highlighter?.codeToTokensBase(source, {
    lang: language,
    theme: theme.name,
    tokenizeMaxLineLength: MAX_LINE_LENGTH,
    // A time limit would make the HTML depend on the speed of the machine.
    tokenizeTimeLimit: 0,
  });
  return (lines ?? []).map((line) =>
    line.map(({ content, color }) => {
      const name = classByColour.get(color ?? PLAIN);
      return name === undefined
        ? createText(content)
        : createElement('span', { className: [name] }, [createText(content)]);
    }),
  );
}

/** A drawing of a diagram that is stored for both themes. */
export interface StoredDrawing {
  id: string;
  width: number;
  height: number;
  /** The text of the drawing. */
  text: string;
}

/** Below this scale the text of a drawing is too small to read, so the drawing is scrolled. */
const MIN_SCALE = 0.8;
const MAX_ALT_LENGTH = 300;

function toPictures({ id, width, height, text }: StoredDrawing): Element {
  const labels = [...text.replace(/\s+/g, ' ')];
  const alt = `图：${labels.slice(0, MAX_ALT_LENGTH).join('')}${labels.length > MAX_ALT_LENGTH ? '…' : ''}`;
  const pictures = ['light', 'dark'].map((theme) =>
    createElement('img', {
      className: [`diagram-${theme}`],
      src: `/drawings/${id}-${theme}.svg`,
      alt,
      width,
      height,
      loading: 'lazy',
      decoding: 'async',
      dataZoom: '',
    }),
  );
  // An empty picture gives the scrolled area its minimum width, because the policy of the page forbids style attributes.
  const strut = createElement('svg', { width: Math.round(width * MIN_SCALE), height: 0, ariaHidden: 'true' });
  return createElement('div', { className: ['diagram-view'], tabIndex: 0 }, [strut, ...pictures]);
}

/** The source stays in the page for the browser to draw, and beneath a stored drawing in case it cannot be loaded. */
function renderDiagram(source: string, drawing: StoredDrawing | undefined): Element {
  const pre = createElement('pre', {}, [createElement('code', {}, [createText(source)])]);
  return drawing === undefined
    ? createElement('figure', { className: ['diagram'], dataDiagram: true }, [pre])
    : createElement('figure', { className: ['diagram'], dataDiagram: 'stored' }, [toPictures(drawing), pre]);
}

/** Returns a transform for one text; it counts the code highlighted so far. */
export function createCodeRenderer(
  drawings: Record<string, StoredDrawing>,
): (node: Element) => Child[] | undefined {
  let remainingLength = MAX_HIGHLIGHTED_LENGTH;
  return (node) => {
    const [code] = node.children;
    if (!isCode(node) || !isElement(code)) return undefined;
    const { language, title, isHighlighted } = parseFenceInfo(code);
    const source = textOf(code).replace(/\n$/, '');
    const key = language.toLowerCase();
    if (key === 'mermaid') return [renderDiagram(source, drawings[hashSource(source)])];
    remainingLength -= source.length;
    const lines = highlightLines(source, remainingLength < 0 ? '' : key).flatMap((tokens, index) => {
      const className = isHighlighted(index + 1) ? ['line', 'lit'] : ['line'];
      const line = createElement('span', { className }, tokens);
      return index === 0 ? [line] : [createText('\n'), line];
    });
    const name = title ?? PLAIN_TEXT_NAMES.get(key) ?? languageNames.get(key) ?? language;
    return [
      createElement('figure', { className: ['code'], dataLang: language || 'text' }, [
        createElement('figcaption', {}, [
          createElement('span', { className: ['code-name'] }, [createText(name)]),
          createElement('button', { type: 'button', className: ['code-copy'], dataCopy: true }, [
            createText('复制'),
          ]),
        ]),
        createElement('pre', { tabIndex: 0 }, [createElement('code', {}, lines)]),
      ]),
    ];
  };
}
