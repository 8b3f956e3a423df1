import { expect, test } from 'vitest';
import { trendPhrase, trendTypeLabels } from './trend-types.ts';

const ESSAY = 0;
const HOME = 1;
const sentence = (type: number, kind: 0 | 1) =>
  trendPhrase(type, kind).join(kind === ESSAY ? '《标题》' : ' 林砚 ');

test('each trend type is described by a Chinese sentence about its target', () => {
  expect(trendTypeLabels.map((_, type) => sentence(type, ESSAY))).toEqual([
    '阅读了《标题》',
    '赞了《标题》',
    '分享了《标题》',
    '分享的《标题》带来了阅读',
    '评论了《标题》',
    '回复了《标题》下的评论',
    '收藏了《标题》',
    '下载了《标题》',
    '加入了《标题》',
    '关注了《标题》',
    '打赏了《标题》',
    '回复了《标题》的打赏',
    '购买了《标题》',
    '写了关于《标题》的私信',
    '回复了关于《标题》的私信',
    '发起了关于《标题》的私聊',
    '回复了关于《标题》的私聊',
    '在《标题》的群聊里发了言',
    '在《标题》的群聊里回复了别人',
    '搜索了《标题》',
  ]);
  expect([9, 13, 14, 15, 16].map((type) => sentence(type, HOME))).toEqual([
    '关注了 林砚 ',
    '给 林砚 写了私信',
    '回复了 林砚 的私信',
    '私聊了 林砚 ',
    '在私聊里回复了 林砚 ',
  ]);
});
