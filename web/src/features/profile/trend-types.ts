import type { Trend } from '@mozhan/contract/activity.ts';
import { TREND_TARGET, TREND_TYPE } from '@mozhan/contract/enums.ts';

/** Labels for filters, indexed by type number. */
export const trendTypeLabels = [
  '阅读',
  '点赞',
  '分享',
  '分享带来的阅读',
  '评论',
  '回复评论',
  '收藏',
  '下载',
  '注册',
  '关注',
  '打赏',
  '回复打赏',
  '购买',
  '私信',
  '回复私信',
  '私聊',
  '回复私聊',
  '群聊',
  '回复群聊',
  '搜索',
] as const;

/** The texts before and after the target. */
type Phrase = readonly [before: string, after: string];

const essayPhrases: readonly Phrase[] = [
  ['阅读了', ''],
  ['赞了', ''],
  ['分享了', ''],
  ['分享的', '带来了阅读'],
  ['评论了', ''],
  ['回复了', '下的评论'],
  ['收藏了', ''],
  ['下载了', ''],
  ['加入了', ''],
  ['关注了', ''],
  ['打赏了', ''],
  ['回复了', '的打赏'],
  ['购买了', ''],
  ['写了关于', '的私信'],
  ['回复了关于', '的私信'],
  ['发起了关于', '的私聊'],
  ['回复了关于', '的私聊'],
  ['在', '的群聊里发了言'],
  ['在', '的群聊里回复了别人'],
  ['搜索了', ''],
];

/** Phrases that differ when the target is a user. */
const userPhrases: Readonly<Record<number, Phrase>> = {
  [TREND_TYPE.letter]: ['给', '写了私信'],
  [TREND_TYPE.letterReply]: ['回复了', '的私信'],
  [TREND_TYPE.chat]: ['私聊了', ''],
  [TREND_TYPE.chatReply]: ['在私聊里回复了', ''],
};

const EMPTY_PHRASE: Phrase = ['', ''];

export const trendPhrase = (type: number, targetKind: Trend['targetKind']): Phrase =>
  (targetKind === TREND_TARGET.home ? userPhrases[type] : undefined) ?? essayPhrases[type] ?? EMPTY_PHRASE;

/** A registration has no target to be named. */
export const isRegistration = (type: number): boolean => type === TREND_TYPE.register;

/** Only the owner sees these trends. */
export const isPrivateTrend = (type: number): boolean => type === TREND_TYPE.read || type >= TREND_TYPE.buy;
