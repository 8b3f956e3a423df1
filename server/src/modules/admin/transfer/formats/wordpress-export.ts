import { SaxesParser } from 'saxes';

interface Term {
  domain: string;
  slug: string;
  name: string;
}

export interface WordPressItem {
  fields: Record<string, string>;
  terms: Term[];
  /** WordPress allows several values for one key. */
  meta: Map<string, string[]>;
  comments: Record<string, string>[];
}

export interface WordPressExport {
  /** `title`, `link`, `wp:base_site_url`, `wp:base_blog_url` of the site. */
  channel: Record<string, string>;
  authors: Map<string, string>;
  items: WordPressItem[];
}

const ITEM_FIELDS = new Set([
  'title',
  'link',
  'guid',
  'dc:creator',
  'content:encoded',
  'excerpt:encoded',
  'wp:post_id',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_modified',
  'wp:post_modified_gmt',
  'wp:comment_status',
  'wp:post_name',
  'wp:status',
  'wp:post_parent',
  'wp:post_type',
  'wp:post_password',
  'wp:is_sticky',
  'wp:attachment_url',
]);
/** Without the e-mail and IP address. */
const COMMENT_FIELDS = new Set([
  'wp:comment_id',
  'wp:comment_author',
  'wp:comment_author_url',
  'wp:comment_date',
  'wp:comment_date_gmt',
  'wp:comment_content',
  'wp:comment_approved',
  'wp:comment_type',
  'wp:comment_parent',
]);
const CHANNEL_FIELDS = new Set(['title', 'link', 'wp:base_site_url', 'wp:base_blog_url']);
/** The values of plugins are not kept. */
const META_KEYS = new Set(['_thumbnail_id', '_wp_old_slug', '_wp_attachment_image_alt']);

/** Rejects a document type, which could define entities and is never part of an export. */
export function parseExport(xml: string): WordPressExport {
  const found: WordPressExport = { channel: {}, authors: new Map(), items: [] };
  const parser = new SaxesParser();
  const path: string[] = [];
  let content = '';
  let item: WordPressItem | null = null;
  let comment: Record<string, string> | null = null;
  let term: Term | null = null;
  let author = { login: '', name: '' };
  let metaKey = '';
  parser.on('doctype', () => {
    throw new Error('a document type is not allowed');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    content = '';
    if (name === 'item') item = { fields: {}, terms: [], meta: new Map(), comments: [] };
    if (name === 'category' && item !== null)
      term = { domain: String(attributes.domain ?? ''), slug: String(attributes.nicename ?? ''), name: '' };
    if (name === 'wp:comment' && item !== null) comment = {};
  });
  const add = (text: string): void => {
    content += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  const closeInItem = (target: WordPressItem, name: string, parent: string | undefined): void => {
    if (parent === 'item' && ITEM_FIELDS.has(name)) target.fields[name] = content;
    if (name === 'category' && term !== null) {
      target.terms.push({ ...term, name: content.trim() });
      term = null;
    }
    if (parent === 'wp:postmeta' && name === 'wp:meta_key') metaKey = content.trim();
    if (parent === 'wp:postmeta' && name === 'wp:meta_value' && META_KEYS.has(metaKey))
      target.meta.set(metaKey, [...(target.meta.get(metaKey) ?? []).slice(0, 20), content.trim()]);
    if (comment !== null && parent === 'wp:comment' && COMMENT_FIELDS.has(name)) comment[name] = content;
    if (comment !== null && name === 'wp:comment') {
      target.comments.push(comment);
      comment = null;
    }
  };
  parser.on('closetag', ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (parent === 'channel' && CHANNEL_FIELDS.has(name)) found.channel[name] = content.trim();
    if (parent === 'wp:author') {
      if (name === 'wp:author_login') author.login = content.trim();
      if (name === 'wp:author_display_name') author.name = content.trim();
    } else if (name === 'wp:author') {
      found.authors.set(author.login, author.name || author.login);
      author = { login: '', name: '' };
    }
    if (item !== null) closeInItem(item, name, parent);
    if (name === 'item' && item !== null) {
      found.items.push(item);
      item = null;
    }
    content = '';
  });
  parser.write(xml.replace(/^\uFEFF/, '')).close();
  return found;
}
