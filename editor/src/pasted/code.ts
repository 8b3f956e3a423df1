import { isCard, readCard } from './cards.ts';
import {
  type Child,
  classesOf,
  createElement,
  createText,
  type Element,
  elementsOf,
  firstAttribute,
  hasClass,
  isBlank,
  isBlock,
  isElement,
  isStyled,
  type Parent,
  replaceElements,
  setChildren,
  textOf,
} from './tree.ts';

const LANGUAGE_ATTRIBUTES = [
  ...['dataLarkLanguage', 'dataLanguage', 'dataLang', 'dataCodeLanguage', 'dataSnippetLanguage'],
  ...['code-language', 'language', 'lang'],
];
const LANGUAGE_CLASS = /^(?:language|lang|highlight-source|brush:?|prism-lang)-?(.+)$/i;

const otherNames: Record<string, string> = {
  'c++': 'cpp',
  'c#': 'csharp',
  'f#': 'fsharp',
  'objective-c': 'objc',
  'shell-session': 'shell',
  'vb.net': 'vb',
  golang: 'go',
  'html/xml': 'html',
};
const NO_LANGUAGE = /^(?:plain|plaintext|plain-text|text|txt|none|auto|nohighlight|unknown|代码块|纯文本)$/;

function normalizeLanguage(given: string): string {
  const name = given.trim().toLowerCase().replace(/\s+/g, '-');
  const known = otherNames[name] ?? name;
  return NO_LANGUAGE.test(known) || !/^[\w+#.-]{1,30}$/.test(known) ? '' : known;
}

function languageOf(elements: readonly Element[]): string {
  for (const element of elements) {
    const found = normalizeLanguage(firstAttribute(element, LANGUAGE_ATTRIBUTES));
    if (found !== '') return found;
  }
  for (const element of elements)
    for (const each of classesOf(element)) {
      const found = normalizeLanguage(LANGUAGE_CLASS.exec(each)?.[1] ?? '');
      if (found !== '') return found;
    }
  return '';
}

/** Line numbers and buttons of the sites that code is copied from. */
const isDecoration = (element: Element): boolean =>
  element.tagName === 'button' ||
  hasClass(
    element,
    ...['code-snippet__line-index', 'pre-numbering', 'line-numbers-rows', 'hljs-ln-numbers', 'gutter'],
    ...['linenumber', 'lineno', 'blob-num', 'hljs-button', 'copy-code-btn', 'code-block-extension-header'],
  );

/** The code as text; some sites write each line as an element. */
function codeTextOf(pre: Element): string {
  let text = '';
  const linesAreCode = pre.children.filter((child) => isElement(child, 'code')).length > 1;
  const isLine = (child: Element): boolean =>
    (isBlock(child) && !isElement(child, 'td', 'tbody', 'table')) ||
    (linesAreCode && child.tagName === 'code');
  const visit = (parent: Element): void => {
    for (const child of parent.children) {
      if (child.type === 'text') text += child.value.replace(/\r\n?/g, '\n');
      if (child.type !== 'element' || isDecoration(child)) continue;
      if (child.tagName === 'br') text += '\n';
      else if (isLine(child)) {
        if (text !== '' && !text.endsWith('\n')) text += '\n';
        const before = text.length;
        visit(child);
        if (text.length === before || !text.endsWith('\n')) text += '\n';
      } else visit(child);
    }
  };
  visit(pre);
  return text
    .replace(/\u00a0/g, ' ')
    .replace(/^\n/, '')
    .trimEnd();
}

const createCode = (text: string, language: string): Element =>
  createElement('pre', {}, [
    createElement('code', language === '' ? {} : { className: [`language-${language}`] }, [createText(text)]),
  ]);

/** Hexo and GitHub wrap code in a table with line numbers. */
function convertBox(element: Element): Child[] | undefined {
  const isBox = hasClass(element, 'highlight', 'code-snippet__fix') || element.tagName === 'pre';
  if (!isBox) return undefined;
  const all = [...elementsOf(element)];
  const pres = [element, ...all].filter(({ tagName }) => tagName === 'pre');
  const pre =
    pres.find(
      (each) =>
        !classesOf(each).some((name) => /gutter|lineno/.test(name)) && !/^[\s\d]*$/.test(textOf(each)),
    ) ?? pres.at(-1);
  if (pre === undefined) return undefined;
  const codes = [...elementsOf(pre)].filter(({ tagName }) => tagName === 'code');
  const [, boxLanguage = ''] = hasClass(element, 'highlight') ? classesOf(element) : [];
  const language =
    languageOf([...codes.slice(0, 1), pre, element]) ||
    normalizeLanguage(/^highlight/.test(boxLanguage) ? '' : boxLanguage);
  return [createCode(codeTextOf(pre), language)];
}

const MONOSPACE =
  /font-family:[^;:]{0,60}(?:Consolas|Courier|Menlo|Monaco|monospace|JetBrains Mono|Source Code)/i;

/** Word has no code blocks: paragraphs in a monospaced font are code. */
function isMonospaced(paragraph: Child): paragraph is Element & { tagName: 'p' } {
  if (!isElement(paragraph, 'p') || textOf(paragraph).trim() === '') return false;
  if (isStyled(paragraph, /mso-list/i) || hasClass(paragraph, 'MsoListParagraph')) return false;
  const isMono = (parent: Element, inherited: boolean): boolean =>
    parent.children.every((child) => {
      if (child.type === 'text') return inherited || child.value.trim() === '';
      return child.type !== 'element' || isMono(child, inherited || isStyled(child, MONOSPACE));
    });
  return isMono(paragraph, isStyled(paragraph, MONOSPACE));
}

function joinMonospaced(parent: Parent): void {
  const children: Child[] = [];
  let lines: string[] = [];
  const end = () => {
    if (lines.length > 0) children.push(createCode(lines.join('\n'), ''));
    lines = [];
  };
  for (const child of parent.children as Child[]) {
    if (isMonospaced(child)) lines.push(codeTextOf(child));
    else if (!isBlank(child) || lines.length === 0) {
      end();
      if (child.type === 'element') joinMonospaced(child);
      children.push(child);
    }
  }
  end();
  setChildren(parent, children);
}

export function convertCode(root: Parent, isWord: boolean): void {
  if (isWord) joinMonospaced(root);
  replaceElements(root, (element) => {
    if (isCard(element)) {
      const card = readCard(element);
      if (card?.name !== 'codeblock') return undefined;
      return [createCode(String(card.value.code ?? ''), normalizeLanguage(String(card.value.mode ?? '')))];
    }
    const found = convertBox(element);
    if (found !== undefined) return found;
    // Inline code keeps no markup inside.
    if (element.tagName === 'code') return [createElement('code', {}, [createText(textOf(element))])];
    return undefined;
  });
}
