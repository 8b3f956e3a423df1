import { splitTags } from '@mozhan/contract/scan.ts';
import type { SiteSettings } from '@mozhan/contract/site.ts';
import type { Config } from '../../../config/config.ts';

type Name = '站名' | '一句话介绍' | '邮箱' | '网址';

/** What the text of an info page takes from elsewhere. */
export interface Variables {
  values: Record<Name, string>;
  /** Put before the addresses of this site. */
  basePath: string;
}

export function variablesOf(
  settings: SiteSettings,
  { siteUrl, basePath }: Pick<Config, 'siteUrl' | 'basePath'>,
): Variables {
  const { title, tagline, email } = settings;
  return {
    values: { 站名: title, 一句话介绍: tagline, 邮箱: email, 网址: siteUrl ?? `${basePath}/` },
    basePath,
  };
}

const VARIABLE = /\{\{(站名|一句话介绍|邮箱|网址)\}\}/g;
/** As Markdown writes it in the address of a link. Only these two can be part of one. */
const IN_ADDRESS = /%7B%7B(%E9%82%AE%E7%AE%B1|%E7%BD%91%E5%9D%80)%7D%7D/g;
const NO_EMAIL = '管理员还没有填写联系邮箱';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`);

const plain = (name: Name, { values }: Variables): string =>
  name === '邮箱' && values.邮箱 === '' ? NO_EMAIL : values[name];

/** In a title or a heading. */
export const fillText = (text: string, variables: Variables): string =>
  text.replace(VARIABLE, (_, name: Name) => plain(name, variables));

const EMAIL = '{{邮箱}}';
const SENTENCE = /[^。！？；]+[。！？；]?/g;
const EMPTY = /<(p|li)>\s*<\/\1>\n?/g;

/** `联系我们：{{邮箱}}。` */
function isContact(sentence: string): boolean {
  const said = sentence
    .trim()
    .replace(/[。！？；]$/, '')
    .trimEnd();
  return said.endsWith(EMAIL) && said.slice(0, -EMAIL.length).trimEnd().endsWith('：');
}

/** A paragraph or list item, tags and texts in turn, without the sentences that only say where to write to. */
function withoutContact(block: string[]): string[] {
  const isText = (part: string) => !part.startsWith('<');
  const sentences = block.filter(isText).join('').match(SENTENCE) ?? [];
  if (!sentences.some(isContact)) return block;
  if (sentences.every((sentence) => isContact(sentence) || sentence.trim() === '')) return [];
  const dropped = (sentence: string) => (isContact(sentence) ? '' : sentence);
  return block.map((part) => (isText(part) ? part.replace(SENTENCE, dropped) : part));
}

/** Where there is no address to write to, nothing says where to write to, and nothing leads there. */
function withoutContacts(html: string): string {
  const kept: string[] = [];
  let begin = -1;
  let isInContact = false;
  for (const part of splitTags(html)) {
    const tag = 'tag' in part ? part.tag : '';
    if (/^<a [^>]*"mailto:(?:\{\{邮箱\}\}|%7B%7B%E9%82%AE%E7%AE%B1%7D%7D)/.test(tag)) {
      isInContact = true;
      continue;
    }
    if (tag === '</a>' && isInContact) {
      isInContact = false;
      continue;
    }
    if (/^<(?:p|li)[ >]/.test(tag)) begin = kept.length;
    else if (/^<(?:ul|ol|div|table|blockquote)[ >]/.test(tag)) begin = -1;
    kept.push('tag' in part ? part.tag : part.text);
    if ((tag === '</p>' || tag === '</li>') && begin >= 0) {
      kept.push(...withoutContact(kept.splice(begin)));
      begin = -1;
    }
  }
  return kept.join('').replace(EMPTY, '').replace(EMPTY, '');
}

/** In rendered Markdown: quotes in attributes and angle brackets in text are escaped there, so a tag is easily told. */
export function fillHtml(html: string, variables: Variables): string {
  let isInLink = false;
  const shown = variables.values.邮箱 === '' ? withoutContacts(html) : html;
  let filled = '';
  for (const part of splitTags(shown)) {
    if ('tag' in part) {
      if (/^<a[ >]/.test(part.tag)) isInLink = true;
      if (part.tag === '</a>') isInLink = false;
      filled += fillTag(part.tag, variables);
    } else {
      filled += part.text.replace(VARIABLE, (_, name: Name) => {
        const text = escapeHtml(plain(name, variables));
        return isInLink ? text : linked(name, text, variables);
      });
    }
  }
  return filled;
}

/** An e-mail address and the site's own are there to be followed. */
function linked(name: Name, text: string, { values }: Variables): string {
  if (name === '邮箱' && values.邮箱 !== '') return `<a href="mailto:${text}">${text}</a>`;
  return name === '网址' ? `<a href="${text}">${text}</a>` : text;
}

const fillTag = (tag: string, variables: Variables): string =>
  tag
    .replace(/ (href|src)="\/(?!\/)/, ` $1="${variables.basePath}/`)
    .replace(IN_ADDRESS, (_, name: string) => escapeHtml(variables.values[decodeURIComponent(name) as Name]))
    .replace(VARIABLE, (_, name: Name) => escapeHtml(plain(name, variables)));
