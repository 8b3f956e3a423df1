import { APPLICATION_STATUS } from '@mozhan/contract/enums.ts';
import type { ApplicationStatus, applyAsExpert } from '@mozhan/contract/experts.ts';
import type { z } from 'zod';

export const columns: Record<string, { summary: string; price?: number }> = {
  睡得着觉的后端: { summary: '队列、执行计划与账目：把会在半夜响起来的事，白天先做完。' },
  周末编译器: {
    summary: '从一百一十行的Lisp出发，一个周末一步：求值、闭包转换、解析，每篇的代码都跑得起来。',
    price: 990,
  },
};

export const folders: { by: string; name: string; isPublic: boolean; slugs: string[] }[] = [
  {
    by: 'heqing',
    name: '课堂材料',
    isPublic: true,
    slugs: [
      '03-write-skew-one-cent',
      '04-page-split-uuid',
      '14-a-small-lisp-with-tail-calls',
      '16-recursive-descent-or-pratt',
      '17-regex-backtracking-timeout',
      '18-summation-error-and-kahan',
    ],
  },
  {
    by: 'luoyi',
    name: '值班手册',
    isPublic: true,
    slugs: ['05-clock-step-back', '06-retry-budget', '08-load-average', '01-skip-locked-queue'],
  },
  {
    by: 'baiqiao',
    name: '字与颜色',
    isPublic: true,
    slugs: ['10-forty-characters-a-line', '13-why-colors-turn-muddy-hsl-oklch'],
  },
  {
    by: 'tangke',
    name: '下次评审要用',
    isPublic: false,
    slugs: ['02-selectivity-explain', '03-write-skew-one-cent', '06-retry-budget'],
  },
  {
    by: 'guwei',
    name: '给家里人做的',
    isPublic: false,
    slugs: ['07-family-photo-backup', '20-balcony-watering-with-an-old-board'],
  },
];

interface Application {
  by: string;
  hoursAgo: number;
  fields: z.output<typeof applyAsExpert.input>;
  decision?: {
    by: string;
    hoursAgo: number;
    status: Exclude<ApplicationStatus, typeof APPLICATION_STATUS.waiting>;
    reason: string;
  };
}

export const applications: Application[] = [
  {
    by: 'duheng',
    hoursAgo: 260,
    fields: {
      realName: '杜衡',
      field: '系统架构',
      intro:
        '做了十六年企业系统，经手过三次大的拆分和一次合并。想把其中走错的几步写出来：当时为什么那样选，后来付了什么代价。',
      works: ['https://example.com/duheng/merge-back'],
      contact: 'duheng@example.com',
    },
    decision: {
      by: 'linyan',
      hoursAgo: 212,
      status: APPLICATION_STATUS.approved,
      reason: '期待那篇讲合并的',
    },
  },
  {
    by: 'songnian',
    hoursAgo: 21,
    fields: {
      realName: '宋年',
      field: '编译原理',
      intro:
        '编译方向的研究生，平时读论文会顺手把例子重做一遍，攒了十几篇笔记。想先发两篇：一篇讲活跃变量分析，一篇讲怎样给小语言写测试。',
      works: ['https://example.com/songnian/liveness', 'https://example.com/songnian/tests'],
      contact: 'songnian@example.com',
    },
  },
];

export const picks: { account: string; note: string; hoursAgo: number }[] = [
  { account: 'linyan', note: '把数据库的数字亲手算给你看', hoursAgo: 300 },
  { account: 'suhe', note: '每个字怎样落在屏幕上，她都量过', hoursAgo: 160 },
];

/** A report of the first comment of `of` on that essay. */
export const report = {
  by: 'baiqiao',
  slug: '12-reading-notes-to-plain-text',
  of: 'lujian',
  reason: 'advertising',
  detail: '和文章关系不大，像是在推广自己的软件。',
  hoursAgo: 9,
};
