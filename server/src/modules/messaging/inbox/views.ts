import type { Notice } from '@mozhan/contract/notices.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { Mail } from '../../platform/mail-sms/index.ts';
import type { DigestRecipient, NoticeRow } from './queries.ts';

/** Further actors are only counted. */
const MAX_NAMED_ACTORS = 2;

const TITLE_PLACEHOLDER = '《》';

/** Inserts the title at the placeholder of the text, or appends it. */
function withTitle({ text, targetTitle }: NoticeRow['notice']): string {
  if (targetTitle === '') return text;
  const title = `《${targetTitle}》`;
  return text.includes(TITLE_PLACEHOLDER) ? text.replace(TITLE_PLACEHOLDER, () => title) : text + title;
}

function toNoticeText({ notice, actorUsers }: NoticeRow): string {
  const { actors } = notice;
  if (actors === 0) return notice.text;
  const names = actorUsers
    .slice(0, MAX_NAMED_ACTORS)
    .map((user) => user.displayName)
    .join('、');
  const actorNames = actors > MAX_NAMED_ACTORS ? `${names} 等 ${actors} 人` : `${names} `;
  return actorNames + withTitle(notice);
}

export function toNotice(row: NoticeRow, now: Date): Notice {
  const { id, kind, actors, text, targetTitle, targetUrl, excerpt, toldAt } = row.notice;
  const target = targetUrl === '' || row.isTargetDeleted ? null : { title: targetTitle, url: targetUrl };
  const verb = target === null ? withTitle(row.notice) : text;
  return {
    id,
    kind,
    text: toNoticeText(row),
    actors: row.actorUsers.map((user) => toUserCard(user, now)),
    count: actors,
    verb: actors === 0 ? '' : verb,
    target,
    excerpt,
    read: row.isRead,
    createdAt: toldAt.toISOString(),
  };
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (char) => escapes[char] ?? char);

const link = (url: string, label: string) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;

const NOTICES_PATH = '/account/center.html?tab=notice';
const SETTINGS_PATH = '/account/settings.html?tab=notify';

export function toDigest(
  { displayName, email, unread, rows }: DigestRecipient,
  { title, siteUrl }: { title: string; siteUrl: string | null },
): Mail {
  const greeting = `${displayName}，你好。你在${title}有 ${unread} 条未读通知：`;
  const lines = rows.map((row) => {
    const { excerpt, targetUrl } = row.notice;
    const text = toNoticeText(row);
    return {
      label: excerpt === '' ? text : `${text}：${excerpt}`,
      url: siteUrl === null || targetUrl === '' || row.isTargetDeleted ? null : siteUrl + targetUrl,
    };
  });
  const more = unread > rows.length ? `还有 ${unread - rows.length} 条没有列出。` : '';
  const off = '不想再收到这封邮件，可以在「设置 · 通知」里关闭邮件汇总';
  return {
    to: email,
    subject: `${title}：你有 ${unread} 条未读通知`,
    text: [
      greeting,
      '',
      ...lines.map(({ label }) => `· ${label}`),
      ...(more === '' ? [] : ['', more]),
      '',
      siteUrl === null ? '登录后在「我的主页 · 通知」里查看。' : `查看全部：${siteUrl}${NOTICES_PATH}`,
      siteUrl === null ? `${off}。` : `${off}：${siteUrl}${SETTINGS_PATH}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="zh-CN"><body style="font:16px/1.7 sans-serif;color:#222;max-width:600px">',
      `<p>${escapeHtml(greeting)}</p>`,
      '<ul>',
      ...lines.map(({ label, url }) => `<li>${url === null ? escapeHtml(label) : link(url, label)}</li>`),
      '</ul>',
      ...(more === '' ? [] : [`<p>${more}</p>`]),
      siteUrl === null
        ? '<p>登录后在「我的主页 · 通知」里查看。</p>'
        : `<p>${link(siteUrl + NOTICES_PATH, '查看全部通知')}</p>`,
      `<p style="font-size:13px;color:#777">${siteUrl === null ? off : link(siteUrl + SETTINGS_PATH, off)}。</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
