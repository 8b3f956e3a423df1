/** Attributes of HTML tags in raw HTML, and the address of a picture among those of lazy loading and `srcset`. */

interface Attribute {
  value: string;
  /** Where the value is in the tag, without quotes. */
  from: number;
  to: number;
  /** Where the attribute is in the tag. */
  start: number;
  end: number;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?/g;

/** The attributes by lower-case name; the first of several with the same name counts, as in browsers. */
export function parseAttributes(tag: string): Map<string, Attribute> {
  const found = new Map<string, Attribute>();
  const nameEnd = /^<\/?[a-z][^\s/>]*/i.exec(tag)?.[0].length ?? 0;
  ATTRIBUTE.lastIndex = nameEnd;
  for (let match = ATTRIBUTE.exec(tag); match !== null; match = ATTRIBUTE.exec(tag)) {
    const [whole, name = '', given = ''] = match;
    const end = match.index + whole.length;
    const quotes = /^["']/.test(given) ? 1 : 0;
    const key = name.toLowerCase();
    if (!found.has(key))
      found.set(key, {
        value: given.slice(quotes, given.length - quotes),
        from: end - given.length + quotes,
        to: end - quotes,
        start: match.index,
        end,
      });
  }
  return found;
}

/** Scripts for lazy loading replace `src` by one of these. */
const LAZY_ATTRIBUTES = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-original-src',
  'data-echo',
  'data-url',
  'data-actualsrc',
];

/** The candidate of a `srcset` with the largest width or density. */
export function largestOf(sourceSet: string): string {
  let best = { url: '', size: -1 };
  for (const candidate of sourceSet.split(/,\s+|,$|,(?=https?:|\/)/)) {
    const [url = '', size = '1x'] = candidate.trim().split(/\s+/);
    const value = Number.parseFloat(size) || 0;
    if (url !== '' && value > best.size) best = { url, size: value };
  }
  return best.url;
}

export function chooseSource(attributes: ReadonlyMap<string, { value: string }>): string {
  const get = (name: string): string => attributes.get(name)?.value.trim() ?? '';
  for (const name of LAZY_ATTRIBUTES) if (/[./]/.test(get(name))) return get(name);
  const source = get('src');
  if (source !== '' && !source.startsWith('data:')) return source;
  return largestOf(get('srcset')) || largestOf(get('data-srcset')) || source;
}

const REPLACED = new Set([...LAZY_ATTRIBUTES, 'srcset', 'data-srcset', 'sizes', 'src']);

/** Writes the address as `src` and removes all other addresses of the picture. */
export function setSource(tag: string, source: string): string {
  const attributes = [...parseAttributes(tag)].filter(([name]) => REPLACED.has(name));
  const [only] = attributes;
  if (attributes.length === 1 && only?.[0] === 'src' && only[1].value === source) return tag;
  const edits = attributes.map(([, attribute]) => attribute).toSorted((a, b) => a.start - b.start);
  let text = '';
  let done = 0;
  for (const { start, end } of edits) {
    text += done === 0 ? `${tag.slice(0, start)}src="${source}"` : tag.slice(done, start).trimEnd();
    done = end;
  }
  return text + tag.slice(done);
}
