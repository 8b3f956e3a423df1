/** Demo payments in fen; users who recharged pay from their balance, others through the sandbox. */

type PayBy = 'balance' | 'sandbox';

export const recharges: { by: string; amount: number; hoursAgo: number }[] = [
  { by: 'heqing', amount: 5000, hoursAgo: 600 },
  { by: 'songnian', amount: 3000, hoursAgo: 592 },
  { by: 'wenzhou', amount: 5000, hoursAgo: 510 },
  { by: 'tangke', amount: 3000, hoursAgo: 388 },
  { by: 'baiqiao', amount: 3000, hoursAgo: 420 },
];

/** Either the slug of an essay or the name of a column. */
export const purchases: { by: string; essay?: string; column?: string; payBy: PayBy; hoursAgo: number }[] = [
  { by: 'songnian', essay: '15-closure-conversion-to-c', payBy: 'balance', hoursAgo: 484 },
  { by: 'qinheng', essay: '15-closure-conversion-to-c', payBy: 'sandbox', hoursAgo: 471 },
  { by: 'heqing', column: '周末编译器', payBy: 'balance', hoursAgo: 452 },
  { by: 'songnian', essay: '16-recursive-descent-or-pratt', payBy: 'balance', hoursAgo: 363 },
  { by: 'mengxi', essay: '16-recursive-descent-or-pratt', payBy: 'sandbox', hoursAgo: 341 },
  { by: 'duheng', column: '周末编译器', payBy: 'sandbox', hoursAgo: 298 },
  { by: 'wenzhou', essay: '04-page-split-uuid', payBy: 'balance', hoursAgo: 272 },
  { by: 'tangke', essay: '04-page-split-uuid', payBy: 'balance', hoursAgo: 240 },
  { by: 'lujian', essay: '15-closure-conversion-to-c', payBy: 'sandbox', hoursAgo: 196 },
  { by: 'yezhen', essay: '15-closure-conversion-to-c', payBy: 'sandbox', hoursAgo: 74 },
];

/** Plans are identified by their days. */
export const memberships: { by: string; days: number; hoursAgo: number }[] = [
  { by: 'heqing', days: 365, hoursAgo: 560 },
  { by: 'guwei', days: 30, hoursAgo: 150 },
];

interface DemoReward {
  by: string;
  essay: string;
  amount: number;
  payBy: PayBy;
  message: string;
  /** Hours after the publication of the essay. */
  hours: number;
  /** The author's reply, with the hours after the reward. */
  reply?: { hours: number; text: string };
}

export const rewards: DemoReward[] = [
  {
    by: 'songnian',
    essay: '14-a-small-lisp-with-tail-calls',
    amount: 500,
    payBy: 'balance',
    message: '自己重写了一遍，一百零三行。',
    hours: 55,
    reply: { hours: 6, text: '省下的七行，留给报错信息吧。' },
  },
  {
    by: 'luoyi',
    essay: '05-clock-step-back',
    amount: 1000,
    payBy: 'sandbox',
    message: '看到负四万毫秒，在值班室笑出了声，然后去查了自己的chrony。',
    hours: 30,
    reply: { hours: 4, text: '查了就好。记得盯偏移量，别只盯进程活着。' },
  },
  {
    by: 'lujian',
    essay: '09-ime-composition',
    amount: 200,
    payBy: 'sandbox',
    message: '六个「的」，我的输入框错了两个。',
    hours: 46,
    reply: { hours: 5, text: '只错两个，已经赢过我的第一版。' },
  },
  {
    by: 'xuting',
    essay: '09-ime-composition',
    amount: 1000,
    payBy: 'sandbox',
    message: '同行之间，心照不宣。',
    hours: 90,
  },
  {
    by: 'wenzhou',
    essay: '02-selectivity-explain',
    amount: 1000,
    payBy: 'balance',
    message: '先看执行计划。以后有人问我为什么，就发这一篇。',
    hours: 20,
    reply: { hours: 9, text: '能省您一次口舌，就没白算。' },
  },
  {
    by: 'duheng',
    essay: '06-retry-budget',
    amount: 2000,
    payBy: 'sandbox',
    message: '那四条已经贴进我们的值班手册，注明了出处。',
    hours: 62,
    reply: { hours: 7, text: '出处可以不注，预算一定要设。' },
  },
  {
    by: 'qinheng',
    essay: '06-retry-budget',
    amount: 500,
    payBy: 'sandbox',
    message: '',
    hours: 130,
  },
  {
    by: 'baiqiao',
    essay: '10-forty-characters-a-line',
    amount: 1000,
    payBy: 'balance',
    message: '终于有人把余量一行一行量出来，拿去说服同事了。',
    hours: 26,
    reply: { hours: 3, text: '说服不了的话，请他自己量一行。' },
  },
  {
    by: 'tangke',
    essay: '03-write-skew-one-cent',
    amount: 1000,
    payBy: 'balance',
    message: '「规则不认识金额」，为这句请你喝茶。',
    hours: 33,
    reply: { hours: 5, text: '茶收下了，祝你明早的对账邮件是空的。' },
  },
  {
    by: 'heqing',
    essay: '03-write-skew-one-cent',
    amount: 500,
    payBy: 'balance',
    message: '课上演示过了，睡一会儿，全班都看见那一分钱不见了。',
    hours: 160,
  },
  {
    by: 'guwei',
    essay: '07-family-photo-backup',
    amount: 2000,
    payBy: 'sandbox',
    message: '照着做了一套，「先读我」是和我妈一起写的。',
    hours: 170,
    reply: { hours: 11, text: '替阿姨高兴。明年春节，请她自己恢复一张试试。' },
  },
  {
    by: 'mengxi',
    essay: '17-regex-backtracking-timeout',
    amount: 500,
    payBy: 'sandbox',
    message: '拿你的匹配器当模糊测试的靶子，跑了一夜，没有打穿。',
    hours: 80,
    reply: { hours: 8, text: '再跑一夜，我心里更踏实。' },
  },
  {
    by: 'shenlu',
    essay: '12-reading-notes-to-plain-text',
    amount: 200,
    payBy: 'sandbox',
    message: '四个数加起来等于读入的数，这个习惯我要学。',
    hours: 40,
  },
  {
    by: 'jiangmo',
    essay: '13-why-colors-turn-muddy-hsl-oklch',
    amount: 1000,
    payBy: 'sandbox',
    message: '组件库里的颜色补丁，今天删掉了一半。',
    hours: 31,
    reply: { hours: 4, text: '删补丁的人最值得打赏。' },
  },
  {
    by: 'fangye',
    essay: '20-balcony-watering-with-an-old-board',
    amount: 1000,
    payBy: 'sandbox',
    message: '家里的开关拆过一遍，唯独没写过故障表。补上了。',
    hours: 22,
    reply: { hours: 6, text: '你的邻居会感谢你的。' },
  },
];

export const withdrawal = {
  by: 'chenduo',
  amount: 5000,
  account: '支付宝 chenduo@example.com',
  realName: '陈铎',
  hoursAgo: 26,
};
