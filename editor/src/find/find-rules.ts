export interface Query {
  text: string;
  isRegexp: boolean;
  isCaseSensitive: boolean;
  isWholeWord: boolean;
}

export interface Match {
  from: number;
  to: number;
}

export interface Replacement extends Match {
  insert: string;
}

export const MAX_MATCHES = 10_000;
/** Longer than any essay may be, so that a growing replacement ends early. */
const MAX_RESULT_LENGTH = 1_000_000;

export type FindRequest = { query: Query; text: string } & (
  | { type: 'find' }
  | { type: 'replace'; template: string; at: number | 'all' }
);

export type FindAnswer =
  | { type: 'found'; matches: Match[]; isLimited: boolean }
  | { type: 'replacements'; replacements: Replacement[]; isLimited: boolean }
  | { type: 'failed'; message: string };

const escapeText = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Throws if the expression is invalid. `^` and `$` match at every line. */
function createRegexp({ text, isRegexp, isCaseSensitive }: Query): RegExp {
  const flags = isCaseSensitive ? 'gm' : 'gim';
  const source = isRegexp ? text : escapeText(text);
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    // Expressions that are common elsewhere are errors with the Unicode flag, such as `\_`.
    return new RegExp(source, flags);
  }
}

/** Chinese is written without spaces, so only letters and digits of other scripts form words. */
const WORD = /[\p{L}\p{N}_]/u;
const HAN = /\p{Script=Han}/u;
const isWordCharacter = (character: string): boolean => WORD.test(character) && !HAN.test(character);
const isInsideWord = (text: string, at: number): boolean =>
  isWordCharacter(text.slice(at - 1, at)) && isWordCharacter(text.slice(at, at + 1));

function* eachMatch(text: string, query: Query): Generator<RegExpExecArray> {
  const regexp = createRegexp(query);
  for (const found of text.matchAll(regexp)) {
    const end = found.index + found[0].length;
    if (query.isWholeWord && (isInsideWord(text, found.index) || isInsideWord(text, end))) continue;
    yield found;
  }
}

/** `$1`, `$<name>`, `$&` and `$$` as in JavaScript, `\n` and `\t` as in other editors; an unknown group is empty. */
export function expandTemplate(template: string, found: RegExpExecArray): string {
  return template.replace(
    /\$(\$|&|\d{1,2}|<[^<>]*>)|\\([nt\\])/g,
    (whole, name?: string, control?: string) => {
      if (control !== undefined) return { n: '\n', t: '\t' }[control] ?? '\\';
      if (name === '$') return '$';
      if (name === '&') return found[0];
      if (name?.startsWith('<')) return found.groups?.[name.slice(1, -1)] ?? '';
      const group = Number(name);
      if (group >= 1 && group < found.length) return found[group] ?? '';
      // `$12` is group 1 and a 2 if there is no group 12.
      const first = Number(name?.[0]);
      if (name?.length === 2 && first >= 1 && first < found.length) return `${found[first] ?? ''}${name[1]}`;
      return whole;
    },
  );
}

const toMatch = (found: RegExpExecArray): Match => ({
  from: found.index,
  to: found.index + found[0].length,
});

function answerFind(text: string, query: Query): FindAnswer {
  const matches: Match[] = [];
  for (const found of eachMatch(text, query)) {
    if (matches.length === MAX_MATCHES) return { type: 'found', matches, isLimited: true };
    matches.push(toMatch(found));
  }
  return { type: 'found', matches, isLimited: false };
}

function answerReplace(text: string, query: Query, template: string, at: number | 'all'): FindAnswer {
  const replacements: Replacement[] = [];
  let length = text.length;
  for (const found of eachMatch(text, query)) {
    if (at !== 'all' && found.index < at) continue;
    if (at !== 'all' && found.index > at) break;
    if (replacements.length === MAX_MATCHES) return { type: 'replacements', replacements, isLimited: true };
    const insert = query.isRegexp ? expandTemplate(template, found) : template;
    length += insert.length - found[0].length;
    if (length > MAX_RESULT_LENGTH) return { type: 'failed', message: '替换后的文字太长了' };
    replacements.push({ ...toMatch(found), insert });
  }
  return { type: 'replacements', replacements, isLimited: false };
}

/** Runs in the worker, because an expression of a user may take forever. */
export function answer(request: FindRequest): FindAnswer {
  const { query, text } = request;
  try {
    return request.type === 'find'
      ? answerFind(text, query)
      : answerReplace(text, query, request.template, request.at);
  } catch {
    return { type: 'failed', message: '这个正则表达式写得不对' };
  }
}

/** The match at or after the position; before the first one and after the last one it goes round. */
export function nextMatch(matches: readonly Match[], position: number): number {
  return Math.max(
    0,
    matches.findIndex(({ from }) => from >= position),
  );
}

export function previousMatch(matches: readonly Match[], position: number): number {
  const found = matches.findLastIndex(({ from }) => from < position);
  return found < 0 ? matches.length - 1 : found;
}
