import type { ConversationCounts } from '@mozhan/contract/chats.ts';
import type { Site } from '@mozhan/contract/site.ts';
import type { PublicUser } from '@mozhan/contract/users.ts';
import type { CentreTab } from '#web/lib/centre-tabs.ts';
import type { NavGroup } from './account-nav.tsx';

interface CentreData {
  isWriter: boolean;
  counters: PublicUser['counters'] | undefined;
  unreadNotices: number;
  unreadMessages: ConversationCounts | undefined;
  switches: Pick<Site['switches'], 'letters' | 'chats'>;
}

/** The groups of the side navigation on wide screens. */
export const buildGroups = (data: CentreData): NavGroup<CentreTab>[] => {
  const { isWriter, counters, unreadNotices, unreadMessages, switches } = data;
  return [
    {
      title: '创作',
      items: [
        { key: 'essay', label: '文章', icon: 'book', count: counters?.essays },
        { key: 'trend', label: '动态', icon: 'trend' },
        ...(isWriter ? [{ key: 'stats', label: '数据', icon: 'chart' } as const] : []),
      ],
    },
    {
      title: '阅读',
      items: [
        { key: 'collect', label: '收藏', icon: 'star' },
        { key: 'column', label: '专栏', icon: 'toc' },
        { key: 'highlight', label: '划线', icon: 'pen' },
        { key: 'like', label: '点赞', icon: 'heart' },
        { key: 'history', label: '足迹', icon: 'clock' },
        { key: 'share', label: '分享', icon: 'share' },
        { key: 'tag', label: '标签', icon: 'tag' },
      ],
    },
    {
      title: '往来',
      items: [
        { key: 'following', label: '关注', icon: 'userPlus', count: counters?.following },
        { key: 'follower', label: '粉丝', icon: 'users', count: counters?.followers },
        ...(switches.letters
          ? [{ key: 'letter', label: '私信', icon: 'comment', unread: unreadMessages?.letters } as const]
          : []),
        ...(switches.chats
          ? [
              {
                key: 'chat',
                label: '聊天',
                icon: 'chat',
                unread: unreadMessages && unreadMessages.chats + unreadMessages.rooms,
              } as const,
            ]
          : []),
        { key: 'notice', label: '通知', icon: 'bell', unread: unreadNotices },
      ],
    },
    {
      title: '账户',
      items: [
        { key: 'order', label: '订单', icon: 'toc' },
        { key: 'wallet', label: '钱包', icon: 'wallet' },
        { key: 'member', label: '会员', icon: 'gem' },
        { key: 'invite', label: '邀请', icon: 'gift' },
        { key: 'farmer', label: '码农名片', icon: 'code' },
      ],
    },
  ];
};

/** In the order of the hub on phones: what waits for an answer comes first. */
const messageTabs: readonly CentreTab[] = ['notice', 'letter', 'chat'];

/** Splits the groups for the hub on phones: the entries with unread numbers come first, the others keep their groups. */
export function splitForHub(groups: readonly NavGroup<CentreTab>[]) {
  const items = groups.flatMap((group) => group.items);
  return {
    messages: messageTabs.flatMap((tab) => items.filter(({ key }) => key === tab)),
    groups: groups.map((group) => ({
      ...group,
      items: group.items.filter(({ key }) => !messageTabs.includes(key)),
    })),
  };
}

/** The tab that a URL names; a status without a tab is a link to the own essays. */
export function readTab(groups: readonly NavGroup<CentreTab>[], search: URLSearchParams): CentreTab | null {
  const named = search.get('tab') ?? (search.has('status') ? 'essay' : null);
  return groups.flatMap(({ items }) => items).find(({ key }) => key === named)?.key ?? null;
}

interface Written {
  isWriter: boolean;
  /** Undefined while loading. */
  publishedEssays: number | undefined;
  /** Essays in any status; needed only by writers without a published one, undefined while loading. */
  ownEssays: number | undefined;
}

/** The panel that opens without a tab in the URL; undefined while it is not known. */
export function landingTab({ isWriter, publishedEssays, ownEssays }: Written): CentreTab | undefined {
  if (!isWriter) return 'history';
  if (publishedEssays === undefined) return undefined;
  if (publishedEssays > 0) return 'essay';
  if (ownEssays === undefined) return undefined;
  return ownEssays > 0 ? 'essay' : 'history';
}
