import { z } from 'zod';
import { defineCall } from './define.ts';

export const siteSettings = z.object({
  title: z.string(),
  tagline: z.string(),
  /** Path or address of an image; empty: the built-in mark. */
  logo: z.string(),
  navTheme: z.enum(['light', 'dark']),
  colorPrimary: z.string(),
  layout: z.enum(['top', 'side', 'mix']),
  contentWidth: z.enum(['Fixed', 'Fluid']),
  fixedHeader: z.boolean(),
  fixSiderbar: z.boolean(),
  colorWeak: z.boolean(),
  pwa: z.boolean(),
  /** Registration numbers; an empty one is not shown. */
  icp: z.string(),
  psb: z.string(),
});
export type SiteSettings = z.output<typeof siteSettings>;

export const getSite = defineCall({
  method: 'GET',
  path: 'core/site/',
  summary: '站点的公开设置',
  who: 'anyone',
  input: z.object({}),
  output: z.object({
    settings: siteSettings,
    /** What this installation can do. */
    features: z.object({ mail: z.boolean() }),
    /** The current year, for the copyright line. */
    year: z.int(),
  }),
});
export type Site = z.output<typeof getSite.output>;
