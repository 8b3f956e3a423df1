import type { Notice } from '@mozhan/contract/notices.ts';
import { toUserCard } from '../../accounts/users/index.ts';
import type { Mail, MailContent, MailSite } from '../../platform/mail-sms/index.ts';
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
    items:
      target === null
        ? []
        : row.events.map(({ name, excerpt, url, toldAt }) => ({
            name,
            excerpt,
            url,
            createdAt: toldAt.toISOString(),
          })),
    read: row.isRead,
    createdAt: toldAt.toISOString(),
  };
}

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
  const isLinked = siteUrl !== null;
  const off = '不想再收到这封邮件，可以在「设置 · 通知」里关闭邮件汇总';
  return {
    kind: 'digest',
    to: email,
    subject: `你有 ${unread} 条未读通知`,
    blocks: [
      greeting,
      { items: lines },
      ...(unread > rows.length ? [`还有 ${unread - rows.length} 条没有列出。`] : []),
      isLinked ? { button: '查看全部', url: siteUrl + NOTICES_PATH } : '登录后在「我的主页 · 通知」里查看。',
      { note: off, url: isLinked ? siteUrl + SETTINGS_PATH : undefined },
    ],
  };
}

/** An example for the preview in the back office. */
export function toSampleDigest({ title, siteUrl }: MailSite): MailContent {
  const label = (text: string) => ({ label: text, url: `${siteUrl ?? 'https://example.com'}/` });
  return {
    subject: '你有 3 条未读通知',
    blocks: [
      `林砚，你好。你在${title}有 3 条未读通知：`,
      {
        items: [
          label('周野 评论了你的文章《把任务队列放进数据库》：说得好'),
          label('顾薇、何青 等 5 人赞了你的文章《把任务队列放进数据库》'),
        ],
      },
      '还有 1 条没有列出。',
      { button: '查看全部', url: `${siteUrl ?? 'https://example.com'}${NOTICES_PATH}` },
      {
        note: '不想再收到这封邮件，可以在「设置 · 通知」里关闭邮件汇总',
        url: `${siteUrl ?? 'https://example.com'}${SETTINGS_PATH}`,
      },
    ],
  };
}
