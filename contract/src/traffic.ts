import { z } from 'zod';
import { dayRange } from './common.ts';
import { defineCall } from './define.ts';

export const trafficDimension = z.enum([
  'page',
  'source',
  'searchEngine',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'region',
  'device',
  'browser',
  'system',
]);
export type TrafficDimension = z.output<typeof trafficDimension>;

const trafficDay = z.object({
  day: z.string().meta({ description: 'YYYY-MM-DD' }),
  views: z.int().meta({ description: '浏览量：打开页面的次数' }),
  visits: z.int().meta({ description: '访问次数：从站外来的浏览' }),
  visitors: z.int().meta({ description: '访客：同一个网络地址和浏览器，一天只算一次' }),
});
export type TrafficDay = z.output<typeof trafficDay>;

const trafficValue = z.object({ value: z.string(), count: z.int() });
export type TrafficValue = z.output<typeof trafficValue>;

export const getTraffic = defineCall({
  method: 'GET',
  path: 'core/sys/traffic/',
  summary: '每天的浏览量、访问次数与访客，以及页面、来源、地区和设备各自最多的 100 项（按北京时间）',
  access: 'traffic:list',
  input: z.object({
    days: z.int().min(1).max(366).default(30).meta({ title: '天数', description: '给了起止日期时不看它' }),
    ...dayRange,
  }),
  output: z.object({
    from: z.string().meta({ description: 'YYYY-MM-DD' }),
    to: z.string(),
    days: z.array(trafficDay),
    values: z
      .record(trafficDimension, z.array(trafficValue))
      .meta({ description: '页面按浏览量，其余按访问次数；多的在前' }),
  }),
});

export const getOwnSources = defineCall({
  method: 'GET',
  path: 'core/user/stat/source',
  summary: '作者自己的文章从哪里被打开：最多的 20 个来源',
  access: 'writer',
  input: z.object({ days: z.int().min(7).max(366).default(30).meta({ title: '天数' }) }),
  output: z.object({ list: z.array(trafficValue) }),
});

export const calls = [getTraffic, getOwnSources] as const;
