import { z } from 'zod';
import { done, flag, id, time } from './common.ts';
import { defineCall } from './define.ts';

export const announcementLevel = z
  .enum(['info', 'important'])
  .meta({ title: '级别', description: 'info 一般，important 重要' });
export type AnnouncementLevel = z.output<typeof announcementLevel>;

/** The fields that readers receive. */
export const visibleAnnouncement = z.object({
  id,
  title: z.string(),
  /** Empty when there is only a title. */
  html: z.string(),
  link: z.string(),
  level: announcementLevel,
});
export type VisibleAnnouncement = z.output<typeof visibleAnnouncement>;

export const announcement = visibleAnnouncement.extend({
  content: z.string(),
  sort: z.int(),
  enabled: flag,
  startsAt: time.nullable(),
  endsAt: time.nullable(),
  createdAt: time,
});
export type Announcement = z.output<typeof announcement>;

const nullableDateTime = z.iso.datetime({ offset: true, error: '时间的格式不对' }).nullable();

const fields = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, '不能换行')
    .meta({ title: '标题' }),
  content: z.string().trim().max(1000).meta({ title: '正文', description: 'Markdown，与评论同一套排版' }),
  link: z
    .string()
    .trim()
    .max(500)
    .regex(/^(|\/(?![/\\])[^\s\\]*|https?:\/\/[^\s\\]+)$/, '请填本站的路径（以 / 开头）或 http(s) 网址')
    .meta({ title: '链接' }),
  level: announcementLevel,
  sort: z.int().min(0).max(9999).meta({ title: '排序' }),
  enabled: flag.meta({ title: '启用' }),
  startsAt: nullableDateTime.meta({ title: '开始时间' }),
  endsAt: nullableDateTime.meta({ title: '结束时间' }),
});

export const listAnnouncements = defineCall({
  method: 'GET',
  path: 'core/sys/announcement/',
  summary: '全部公告，按顺序；读者看到的在 core/site/ 里',
  access: 'announcement:list',
  input: z.object({}),
  output: z.array(announcement),
});

export const createAnnouncement = defineCall({
  method: 'POST',
  path: 'core/sys/announcement/',
  summary: '发布公告',
  access: 'announcement:create',
  input: fields.partial().required({ title: true }),
  output: announcement,
});

export const updateAnnouncement = defineCall({
  method: 'PUT',
  path: 'core/sys/announcement/',
  summary: '修改公告',
  access: 'announcement:update',
  input: fields.partial().extend({ id }),
  output: announcement,
});

export const removeAnnouncement = defineCall({
  method: 'DELETE',
  path: 'core/sys/announcement/',
  summary: '删除公告',
  access: 'announcement:remove',
  input: z.object({ id }),
  output: done,
});

export const calls = [listAnnouncements, createAnnouncement, updateAnnouncement, removeAnnouncement] as const;
