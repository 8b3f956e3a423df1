import type { MailKind } from '@mozhan/contract/mail.ts';

/** A paragraph, or one of the other parts of a mail. */
export type MailBlock =
  | string
  | { code: string }
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { items: readonly { label: string; url: string | null }[] }
  | { button: string; url: string }
  /** Small print, with an optional link. */
  | { note: string; url?: string | undefined };

export interface MailContent {
  /** Without the name of the site, which precedes it. */
  subject: string;
  blocks: readonly MailBlock[];
}

export interface Mail extends MailContent {
  kind: MailKind;
  to: string;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

export interface MailSite {
  title: string;
  colorPrimary: string;
  siteUrl: string | null;
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char);
const withBreaks = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

const link = (url: string, label: string, style = 'color:#b3383a'): string =>
  `<a class="link" href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;

const FONT = "font-family:-apple-system,'PingFang SC','Microsoft YaHei','Noto Sans SC',sans-serif";
const PARAGRAPH = 'margin:0 0 16px;font-size:16px;line-height:1.75;color:#2b2724';
const NOTE = 'margin:0 0 8px;font-size:13px;line-height:1.7;color:#6f6862';

function toHtmlBlock(block: MailBlock): string {
  if (typeof block === 'string') return `<p class="ink" style="${PARAGRAPH}">${withBreaks(block)}</p>`;
  if ('code' in block)
    return `<p class="code" style="margin:0 0 16px;padding:14px 0;font-size:30px;line-height:1.3;font-weight:600;letter-spacing:6px;text-align:center;color:#2b2724;background-color:#f6f3ef;border-radius:8px">${escapeHtml(block.code)}</p>`;
  if ('facts' in block) {
    const rows = block.facts.map(
      ([name, value]) =>
        `<tr><td class="soft" style="padding:2px 16px 2px 0;color:#6f6862;white-space:nowrap;vertical-align:top">${escapeHtml(name)}</td><td class="ink" style="padding:2px 0;color:#2b2724">${escapeHtml(value)}</td></tr>`,
    );
    return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;font-size:15px;line-height:1.7">${rows.join('')}</table>`;
  }
  if ('items' in block) {
    const items = block.items.map(
      ({ label, url }) =>
        `<li class="ink" style="margin:0 0 8px;color:#2b2724">${url === null ? escapeHtml(label) : link(url, label)}</li>`,
    );
    return `<ul style="margin:0 0 16px;padding-left:20px;font-size:15px;line-height:1.7">${items.join('')}</ul>`;
  }
  if ('button' in block) {
    const style =
      'display:inline-block;padding:10px 24px;font-size:15px;color:#ffffff;background-color:#b3383a;border-radius:6px;text-decoration:none';
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(block.url)}" style="${style}">${escapeHtml(block.button)}</a></p>`;
  }
  return `<p class="soft" style="${NOTE}">${block.url === undefined ? withBreaks(block.note) : link(block.url, block.note, 'color:#6f6862')}</p>`;
}

function toTextBlock(block: MailBlock): string {
  if (typeof block === 'string') return block;
  if ('code' in block) return block.code;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}：${value}`).join('\n');
  if ('items' in block) return block.items.map(({ label }) => `· ${label}`).join('\n');
  if ('button' in block) return `${block.button}：${block.url}`;
  return block.url === undefined ? block.note : `${block.note}：${block.url}`;
}

/** Clients with a dark mode use these colours; others ignore them or invert the colours themselves. */
const DARK_STYLE = `
@media (prefers-color-scheme: dark) {
  .page { background-color: #171412 !important; }
  .card { background-color: #211d1a !important; }
  .ink, .title { color: #ece6e0 !important; }
  .soft, .soft a { color: #a59d95 !important; }
  .code { color: #ece6e0 !important; background-color: #2d2824 !important; }
  .link { color: #ff9a98 !important; }
}`;

function toHtml(subject: string, blocks: readonly MailBlock[], site: MailSite): string {
  const { title, colorPrimary, siteUrl } = site;
  const name = escapeHtml(title);
  return [
    '<!doctype html>',
    '<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(subject)}</title><style>${DARK_STYLE}</style></head>`,
    `<body class="page" style="margin:0;padding:0;background-color:#f4f1ec;${FONT}">`,
    '<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f4f1ec"><tr><td align="center" style="padding:24px 12px">',
    `<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background-color:#ffffff;border-radius:10px;border-top:4px solid ${escapeHtml(colorPrimary)}">`,
    `<tr><td class="title" style="padding:24px 28px 8px;font-size:18px;font-weight:600;color:#2b2724">${name}</td></tr>`,
    `<tr><td style="padding:8px 28px 16px">${blocks.map(toHtmlBlock).join('\n')}</td></tr>`,
    '</table>',
    `<p class="soft" style="max-width:560px;margin:16px auto 0;font-size:12px;line-height:1.7;color:#6f6862">这封邮件由${siteUrl === null ? name : link(siteUrl, title, 'color:#6f6862')}自动发出，请不要直接回复。</p>`,
    '</td></tr></table></body></html>',
  ].join('\n');
}

/** Renders a mail as HTML and as plain text. */
export function renderMail({ subject, blocks }: MailContent, site: MailSite): RenderedMail {
  const fullSubject = `${site.title}：${subject}`;
  const signature = `-- \n${site.title}${site.siteUrl === null ? '' : ` ${site.siteUrl}`}\n`;
  return {
    subject: fullSubject,
    text: [...blocks.map(toTextBlock), signature].join('\n\n'),
    html: toHtml(fullSubject, blocks, site),
  };
}
