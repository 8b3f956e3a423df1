import type { HighlighterCore, ThemeRegistration } from 'shiki/core';
import { type Child, classesOf, type Element, element, isElement, text, textOf } from './tree.ts';

/** Token classes and the scopes of grammars they stand for; later ones win over earlier ones as specific. */
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
/** The highlighter only knows colours: each stands for a class. */
const colourOf = (index: number) => `#0000${String(index + 10)}`;
const classOf = new Map(TOKENS.map(([name], index) => [colourOf(index), name]));
classOf.delete(colourOf(TOKENS.findIndex(([name]) => name === 'tk-plain')));

const theme: ThemeRegistration = {
  name: 'classes',
  type: 'light',
  settings: [
    { settings: { foreground: PLAIN, background: '#ffffff' } },
    ...TOKENS.map(([, scope], index) => ({ scope, settings: { foreground: colourOf(index) } })),
  ],
};

/** More code than this in one text stays without colours; so does a line that no one wrote by hand. */
const MOST = 60_000;
const LONGEST_LINE = 1000;

let highlighter: HighlighterCore | undefined;
let names = new Map<string, string>();
const loaded = new Set<string>();

/** With the first code of a text; grammars with the first code of their language. */
export async function loadLanguages(languages: Iterable<string>): Promise<void> {
  const [{ createHighlighterCore }, { createOnigurumaEngine }, { bundledLanguages, bundledLanguagesInfo }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/oniguruma'), import('shiki/langs')]);
  if (!highlighter) {
    highlighter = await createHighlighterCore({
      themes: [theme],
      langs: [],
      engine: createOnigurumaEngine(import('shiki/wasm')),
    });
    names = new Map(
      bundledLanguagesInfo.flatMap(({ id, aliases = [], name }) =>
        [id, ...aliases].map((key) => [key, name]),
      ),
    );
  }
  for (const language of languages) {
    if (loaded.has(language) || !Object.hasOwn(bundledLanguages, language)) continue;
    await highlighter.loadLanguage(bundledLanguages[language as keyof typeof bundledLanguages]);
    loaded.add(language);
  }
}

const isCode = (node: Element): boolean =>
  node.tagName === 'pre' && node.children.length === 1 && isElement(node.children[0], 'code');

interface Info {
  language: string;
  title: string | undefined;
  isMarked: (line: number) => boolean;
}

/** ```ts {3,5-7} title="file.ts" */
function infoOf(code: Element): Info {
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
    isMarked: (line) => ranges.some(({ from, to }) => line >= from && line <= to),
  };
}

export const languageOf = (node: Element): string | undefined =>
  isCode(node) ? infoOf(node.children[0] as Element).language.toLowerCase() : undefined;

const PLAIN_NAMES = new Map([
  ['', '代码'],
  ...['text', 'txt', 'plain', 'plaintext'].map((name) => [name, '纯文本'] as const),
]);

function linesOf(source: string, language: string): Child[][] {
  if (!loaded.has(language)) return source.split('\n').map((line) => (line === '' ? [] : [text(line)]));
  const lines = highlighter?.codeToTokensBase(source, {
    lang: language,
    theme: theme.name,
    tokenizeMaxLineLength: LONGEST_LINE,
    // By size, not by time: the same text has the same HTML on every machine.
    tokenizeTimeLimit: 0,
  });
  return (lines ?? []).map((line) =>
    line.map(({ content, color }) => {
      const name = classOf.get(color ?? PLAIN);
      return name === undefined ? text(content) : element('span', { className: [name] }, [text(content)]);
    }),
  );
}

/** A step for one text: how much code it had so far is kept. */
export function codeLayouter(): (node: Element) => Child[] | undefined {
  let budget = MOST;
  return (node) => {
    const [code] = node.children;
    if (!isCode(node) || !isElement(code)) return undefined;
    const { language, title, isMarked } = infoOf(code);
    const source = textOf(code).replace(/\n$/, '');
    const key = language.toLowerCase();
    if (key === 'mermaid') {
      const diagram = element('pre', {}, [element('code', {}, [text(source)])]);
      return [element('figure', { className: ['diagram'], dataDiagram: true }, [diagram])];
    }
    budget -= source.length;
    const lines = linesOf(source, budget < 0 ? '' : key).flatMap((tokens, index) => {
      const className = isMarked(index + 1) ? ['line', 'lit'] : ['line'];
      const line = element('span', { className }, tokens);
      return index === 0 ? [line] : [text('\n'), line];
    });
    const name = title ?? PLAIN_NAMES.get(key) ?? names.get(key) ?? language;
    return [
      element('figure', { className: ['code'], dataLang: language || 'text' }, [
        element('figcaption', {}, [
          element('span', { className: ['code-name'] }, [text(name)]),
          element('button', { type: 'button', className: ['code-copy'], dataCopy: true }, [text('复制')]),
        ]),
        element('pre', { tabIndex: 0 }, [element('code', {}, lines)]),
      ]),
    ];
  };
}
