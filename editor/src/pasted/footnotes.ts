import {
  attributeOf,
  type Child,
  createElement,
  createText,
  type Element,
  elementsOf,
  findElement,
  hasClass,
  isBlank,
  isElement,
  isStyled,
  type Parent,
  replaceElements,
  setChildren,
  textOf,
} from './tree.ts';

const fragmentOf = (link: Element): string => {
  const href = attributeOf(link, 'href');
  const at = href.indexOf('#');
  return at < 0 ? '' : href.slice(at + 1);
};

/** The id of the note that a link refers to. */
function referenceOf(element: Element): string | null {
  if (element.tagName !== 'a') return null;
  const fragment = fragmentOf(element);
  // Word calls the note `_ftn1` in links and `ftn1` in its id.
  const [, word] = /^_((?:ftn|edn)\d+)$/.exec(fragment) ?? [];
  if (word !== undefined) return word;
  const isMarked =
    'dataFootnoteRef' in element.properties || hasClass(element, 'footnote-ref', 'footnote-reference');
  return isMarked || /^(?:user-content-)?(?:fn|footnote|cite_note)[-:_]?[^r]/.test(fragment)
    ? fragment
    : null;
}

const isBackLink = (element: Element): boolean =>
  element.tagName === 'a' &&
  ('dataFootnoteBackref' in element.properties ||
    hasClass(element, 'footnote-backref', 'data-footnote-backref') ||
    /^_?(?:user-content-)?(?:fnref|ftnref|ednref|cite_ref)/.test(fragmentOf(element)));

const isNoteSection = (element: Element): boolean =>
  'dataFootnotes' in element.properties ||
  hasClass(element, 'footnotes', 'footnotes-list') ||
  isStyled(element, /mso-element:\s*(?:footnote|endnote)-list/i);

/** References become `[^1]` and their notes follow the text, numbered from `first`. Returns the number of notes. */
export function convertFootnotes(root: Parent, first: number): number {
  const notes = new Map<string, Element>();
  const byId = new Map<string, Element>();
  for (const element of elementsOf(root)) {
    const id = attributeOf(element, 'id');
    if (id !== '') byId.set(id, element);
  }
  const numbers = new Map<string, number>();
  for (const element of elementsOf(root)) {
    const id = referenceOf(element);
    const note = id === null ? undefined : byId.get(id);
    if (id === null || note === undefined || isBackLink(element)) continue;
    if (!numbers.has(id)) numbers.set(id, first + numbers.size);
    notes.set(id, note);
  }
  if (numbers.size === 0) return 0;
  const isNote = new Set(notes.values());
  const contents = new Map<string, Child[]>();
  for (const [id, note] of notes) {
    replaceElements(note, (element) => (isBackLink(element) ? [] : undefined));
    contents.set(id, note.children as Child[]);
  }
  replaceElements(root, (element) => {
    if (isNote.has(element)) return [];
    // `<sup><a href="#fn-1">1</a></sup>`
    const [only, ...others] = (element.children as Child[]).filter((child) => !isBlank(child));
    const link = element.tagName === 'sup' && others.length === 0 && isElement(only, 'a') ? only : element;
    const number = numbers.get(referenceOf(link) ?? '');
    return number === undefined
      ? undefined
      : [createElement('x-note-mark', { value: String(number) }, [createText(String(number))])];
  });
  removeEmptySections(root);
  for (const [id, content] of contents)
    root.children.push(createElement('x-note', { value: String(numbers.get(id)) }, content));
  return numbers.size;
}

/** What is left of a section whose notes were moved: a line, a heading, an empty list. */
function removeEmptySections(root: Parent): void {
  replaceElements(root, (element) => {
    if (!isNoteSection(element)) return undefined;
    const rest = (element.children as Child[]).filter(
      (child) => !isElement(child, 'hr', 'h2', 'h3', 'br') && textOf(child).trim() !== '',
    );
    const list = findElement(element, ({ tagName }) => tagName === 'li');
    setChildren(element, rest);
    return rest.length === 0 || (list === undefined && rest.every((child) => isElement(child, 'ol', 'ul')))
      ? []
      : [element];
  });
}
