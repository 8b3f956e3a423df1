import rehypeRemark, { type Options } from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify, { type Options as StringifyOptions } from 'remark-stringify';
import { unified } from 'unified';
import { displayWidth } from './display-width.ts';
import { convertCode } from './pasted/code.ts';
import { convertFootnotes } from './pasted/footnotes.ts';
import { convertFormulas, keepDollarFormulas, revealWordFormulas } from './pasted/formulas.ts';
import { convertLists } from './pasted/lists.ts';
import {
  convertLinks,
  convertMarks,
  convertQuotes,
  fixMarks,
  removeEmpty,
  removeJunk,
} from './pasted/marks.ts';
import { closeEmptyTags } from './pasted/omml.ts';
import { parseHtml } from './pasted/parse.ts';
import { convertPictures, type FoundPictures } from './pasted/pictures.ts';
import { readRtfPictures } from './pasted/rtf.ts';
import { convertTables, readClassAligns } from './pasted/tables.ts';
import { type Element, elementsOf, textOf } from './pasted/tree.ts';
import { toDestination } from './picture-destination.ts';

type Handle = NonNullable<NonNullable<Options['handlers']>[string]>;
type Result = ReturnType<Handle>;
const rawValueOf = ({ properties }: Element): string => String(properties.value ?? '');

/** A node in a line that is written as it is; `inlineMath` is the only type for this that counts as text. */
const toRaw = (value: string): Result => ({ type: 'inlineMath', value }) as unknown as Result;
const keepTag =
  (tag: string): Handle =>
  (state, element: Element) =>
    [toRaw(`<${tag}>`), ...state.all(element), toRaw(`</${tag}>`)] as Result;

const handlers: Record<string, Handle> = {
  'x-raw': (_state, element) => toRaw(rawValueOf(element)),
  'x-block': (_state, element) => ({ type: 'html', value: rawValueOf(element) }),
  'x-note-mark': (_state, element) => ({ type: 'footnoteReference', identifier: rawValueOf(element) }),
  'x-note': (state, element) =>
    ({
      type: 'footnoteDefinition',
      identifier: rawValueOf(element),
      children: state.toFlow(state.all(element)),
    }) as Result,
  br: (state) => (state.inTable ? toRaw('<br>') : { type: 'break' }),
  sub: keepTag('sub'),
  sup: keepTag('sup'),
  mark: keepTag('mark'),
  u: (state, element) => state.all(element),
};

type WriteHandle = NonNullable<NonNullable<StringifyOptions['handlers']>['strong']>;

/** The edges of marks are valid already, so that no letter beside them has to be written as an entity. */
const wrap = (name: 'strong' | 'emphasis', mark: string): WriteHandle =>
  Object.assign(
    ((node, _parent, state, info) => {
      const exit = state.enter(name);
      const inside = state.containerPhrasing(node, { ...info, before: mark, after: mark });
      exit();
      return mark + inside + mark;
    }) satisfies WriteHandle,
    { peek: () => '*' },
  );

const writer = unified()
  .use(rehypeRemark, { handlers })
  .use(remarkGfm, { stringLength: displayWidth })
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '*',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    resourceLink: true,
    handlers: {
      strong: wrap('strong', '**'),
      emphasis: wrap('emphasis', '*'),
      inlineMath: ({ value }: { value: string }) => value,
    } as StringifyOptions['handlers'],
  })
  .freeze();

export interface HtmlOptions {
  /** The same text as RTF, in which Word has its pictures. */
  rtf?: string;
  /** The number of the first footnote. */
  firstNote?: number;
  /** The address of this site. */
  origin?: string;
  createToken: () => string;
}

export interface ConvertedHtml extends FoundPictures {
  text: string;
}

/** Converts HTML copied from an office program, another editor or a web page, without its styles and scripts. */
export function htmlToMarkdown(
  html: string,
  { rtf = '', firstNote = 1, origin = '', createToken }: HtmlOptions,
): ConvertedHtml {
  const root = parseHtml(html);
  const isWord = /class="?Mso|mso-|urn:schemas-microsoft-com/i.test(html.slice(0, 100_000));
  if (isWord) revealWordFormulas(root, (markup) => parseHtml(closeEmptyTags(markup)));
  const styles = [...elementsOf(root)].filter(({ tagName }) => tagName === 'style').map(textOf);
  const classAligns = readClassAligns(styles.join('\n'));
  convertFormulas(root);
  removeJunk(root);
  convertCode(root, isWord);
  if (html.includes('notionvc:')) keepDollarFormulas(root);
  convertQuotes(root);
  convertLists(root);
  convertFootnotes(root, firstNote);
  const found = convertPictures(root, { rtfPictures: readRtfPictures(rtf), createToken, origin });
  convertMarks(root);
  convertLinks(root);
  fixMarks(root);
  removeEmpty(root);
  convertTables(root, classAligns);
  let text = String(writer.stringify(writer.runSync(root)))
    .replace(/\u00a0/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  for (const picture of found.pictures)
    if ('url' in picture) text = text.replaceAll(`uploading:${picture.token}`, toDestination(picture.url));
  return { text, ...found };
}
