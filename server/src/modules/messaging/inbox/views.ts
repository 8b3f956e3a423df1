import type { Notice } from '@mozhan/contract/notices.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { Mail } from '../../platform/mail-sms/index.ts';
import type { NoticeRow, Reader } from './queries.ts';

/** Names of more than two are only counted. */
const NAMED = 2;

const PLACE = '《》';

/** What they did, with the title where the words leave room for it, or behind them. */
function withTitle({ text, targetTitle }: NoticeRow['notice']): string {
  if (targetTitle === '') return text;
  const title = `《${targetTitle}》`;
  return text.includes(PLACE) ? text.replace(PLACE, () => title) : text + title;
}

function toSentence({ notice, people }: NoticeRow): string {
  const { actors } = notice;
  if (actors === 0) return notice.text;
  const names = people
    .slice(0, NAMED)
    .map((user) => user.displayName)
    .join('、');
  const who = actors > NAMED ? `${names} 等 ${actors} 人` : `${names} `;
  return who + withTitle(notice);
}

export function toNotice(row: NoticeRow, now: Date): Notice {
  const { id, kind, actors, text, targetTitle, targetUrl, excerpt, toldAt } = row.notice;
  const target = targetUrl === '' || row.isGone ? null : { title: targetTitle, url: targetUrl };
  const verb = target === null ? withTitle(row.notice) : text;
  return {
    id,
    kind,
    text: toSentence(row),
    actors: row.people.map((user) => toUserCard(user, now)),
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

const link = (url: string, words: string) => `<a href="${escapeHtml(url)}">${escapeHtml(words)}</a>`;

const NOTICES = '/account/center.html?tab=notice';
const SETTINGS = '/account/settings.html?tab=notify';

/** The unread ones in a mail; links where the site knows its address. */
export function toDigest(
  { displayName, email, unread, rows }: Reader,
  { title, siteUrl }: { title: string; siteUrl: string | null },
): Mail {
  const greeting = `${displayName}，你好。你在${title}有 ${unread} 条未读通知：`;
  const lines = rows.map((row) => {
    const { excerpt, targetUrl } = row.notice;
    const sentence = toSentence(row);
    return {
      words: excerpt === '' ? sentence : `${sentence}：${excerpt}`,
      url: siteUrl === null || targetUrl === '' || row.isGone ? null : siteUrl + targetUrl,
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
      ...lines.map(({ words }) => `· ${words}`),
      ...(more === '' ? [] : ['', more]),
      '',
      siteUrl === null ? '登录后在「我的主页 · 通知」里查看。' : `查看全部：${siteUrl}${NOTICES}`,
      siteUrl === null ? `${off}。` : `${off}：${siteUrl}${SETTINGS}`,
    ].join('\n'),
    html: [
      '<!doctype html><html lang="zh-CN"><body style="font:16px/1.7 sans-serif;color:#222;max-width:600px">',
      `<p>${escapeHtml(greeting)}</p>`,
      '<ul>',
      ...lines.map(({ words, url }) => `<li>${url === null ? escapeHtml(words) : link(url, words)}</li>`),
      '</ul>',
      ...(more === '' ? [] : [`<p>${more}</p>`]),
      siteUrl === null
        ? '<p>登录后在「我的主页 · 通知」里查看。</p>'
        : `<p>${link(siteUrl + NOTICES, '查看全部通知')}</p>`,
      `<p style="font-size:13px;color:#777">${siteUrl === null ? off : link(siteUrl + SETTINGS, off)}。</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
