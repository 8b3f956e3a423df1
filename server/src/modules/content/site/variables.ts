import type { SiteSettings } from '@mozhan/contract/site.ts';
import { splitTags } from '@mozhan/contract/text-scan.ts';
import type { Config } from '../../../config/config.ts';

type VariableName = '站名' | '一句话介绍' | '邮箱' | '网址';

export interface Variables {
  values: Record<VariableName, string>;
  /** Prefix of root-relative URLs. */
  basePath: string;
}

export function toVariables(
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
/** Percent-encoded form in link URLs. Only the e-mail and the site URL can occur there. */
const IN_ADDRESS = /%7B%7B(%E9%82%AE%E7%AE%B1|%E7%BD%91%E5%9D%80)%7D%7D/g;
const NO_EMAIL = '管理员还没有填写联系邮箱';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`);

const toText = (name: VariableName, { values }: Variables): string =>
  name === '邮箱' && values.邮箱 === '' ? NO_EMAIL : values[name];

export const fillText = (text: string, variables: Variables): string =>
  text.replace(VARIABLE, (_, name: VariableName) => toText(name, variables));

const EMAIL = '{{邮箱}}';
const SENTENCE = /[^。！？；]+[。！？；]?/g;
const EMPTY = /<(p|li)>\s*<\/\1>\n?/g;

/** Matches sentences such as `联系我们：{{邮箱}}。` */
function isContactSentence(sentence: string): boolean {
  const text = sentence
    .trim()
    .replace(/[。！？；]$/, '')
    .trimEnd();
  return text.endsWith(EMAIL) && text.slice(0, -EMAIL.length).trimEnd().endsWith('：');
}

/** Removes contact sentences from a paragraph or list item, given as alternating tags and texts. */
function withoutContact(block: string[]): string[] {
  const isText = (part: string) => !part.startsWith('<');
  const sentences = block.filter(isText).join('').match(SENTENCE) ?? [];
  if (!sentences.some(isContactSentence)) return block;
  if (sentences.every((sentence) => isContactSentence(sentence) || sentence.trim() === '')) return [];
  const dropped = (sentence: string) => (isContactSentence(sentence) ? '' : sentence);
  return block.map((part) => (isText(part) ? part.replace(SENTENCE, dropped) : part));
}

/** Removes contact sentences and mail links when no e-mail address is configured. */
function withoutContacts(html: string): string {
  const parts: string[] = [];
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
    if (/^<(?:p|li)[ >]/.test(tag)) begin = parts.length;
    else if (/^<(?:ul|ol|div|table|blockquote)[ >]/.test(tag)) begin = -1;
    parts.push('tag' in part ? part.tag : part.text);
    if ((tag === '</p>' || tag === '</li>') && begin >= 0) {
      parts.push(...withoutContact(parts.splice(begin)));
      begin = -1;
    }
  }
  return parts.join('').replace(EMPTY, '').replace(EMPTY, '');
}

/** Expects rendered Markdown, where quotes in attributes and angle brackets in text are escaped. */
export function fillHtml(html: string, variables: Variables): string {
  let isInLink = false;
  const input = variables.values.邮箱 === '' ? withoutContacts(html) : html;
  let filled = '';
  for (const part of splitTags(input)) {
    if ('tag' in part) {
      if (/^<a[ >]/.test(part.tag)) isInLink = true;
      if (part.tag === '</a>') isInLink = false;
      filled += fillTag(part.tag, variables);
    } else {
      filled += part.text.replace(VARIABLE, (_, name: VariableName) => {
        const text = escapeHtml(toText(name, variables));
        return isInLink ? text : toLink(name, text, variables);
      });
    }
  }
  return filled;
}

/** Turns an e-mail address or the site URL into a link. */
function toLink(name: VariableName, text: string, { values }: Variables): string {
  if (name === '邮箱' && values.邮箱 !== '') return `<a href="mailto:${text}">${text}</a>`;
  return name === '网址' ? `<a href="${text}">${text}</a>` : text;
}

const fillTag = (tag: string, variables: Variables): string =>
  tag
    .replace(/ (href|src)="\/(?!\/)/, ` $1="${variables.basePath}/`)
    .replace(IN_ADDRESS, (_, name: string) =>
      escapeHtml(variables.values[decodeURIComponent(name) as VariableName]),
    )
    .replace(VARIABLE, (_, name: VariableName) => escapeHtml(toText(name, variables)));
