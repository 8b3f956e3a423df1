import type { AnnouncementLevel } from '@mozhan/contract/announcements.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { displayState, formatPeriod } from '#admin/lib/display-period.ts';
import { line, tag, time } from '#admin/ui/columns.tsx';
import { type Labels, optionsOf } from '#admin/ui/labels.tsx';
import { unpaged } from '#admin/ui/lists.ts';
import { Prose } from '#admin/ui/prose.tsx';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { ExpandedContent } from '#admin/ui/table-card.tsx';

const levels: Labels<AnnouncementLevel> = {
  info: { label: '一般', color: 'default' },
  important: { label: '重要', color: 'error' },
};

const states = ['展示中', '未开始', '已结束', '停用'];

export const Page = () => (
  <ResourceScreen
    name="announcement"
    title="公告"
    intro="显示在首页和分类页的上方，同时最多三条，按这里的顺序；读者可以收起"
    list={unpaged('GET core/sys/announcement/')}
    columns={[
      line('title', '标题'),
      tag('level', '级别', levels),
      line('link', '链接'),
      { key: 'span', title: '展示时间', text: formatPeriod },
      { key: 'state', title: '状态', text: (row) => displayState(row, new Date()) },
      time('createdAt', '发布时间', { hidden: true }),
      'order',
      'enabled',
    ]}
    keyword="搜索公告"
    filters={[
      {
        name: 'state',
        label: '状态',
        options: states.map((state) => ({ value: state, label: state })),
        test: (row, value) => displayState(row, new Date()) === value,
      },
      { name: 'level', label: '级别', options: optionsOf(levels) },
    ]}
    expanded={(row) =>
      row.html === '' ? null : (
        <ExpandedContent>
          <Prose html={row.html} />
        </ExpandedContent>
      )
    }
    form={{
      drawer: true,
      values: (row) => ({
        title: row?.title ?? '',
        content: row?.content ?? '',
        link: row?.link ?? '',
        level: row?.level ?? 'info',
        startsAt: row?.startsAt ?? null,
        endsAt: row?.endsAt ?? null,
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: [
        { name: 'title', kind: 'text', label: '标题', required: true, maxLength: 50 },
        {
          name: 'content',
          kind: 'lines',
          label: '正文（可选）',
          rows: 5,
          maxLength: 1000,
          help: 'Markdown，一两段；读者点开标题后看到',
        },
        {
          name: 'link',
          kind: 'text',
          label: '链接',
          maxLength: 500,
          placeholder: '/help.html',
          help: '本站的路径，或 http(s) 网址；留空则没有「查看」',
        },
        { name: 'level', kind: 'choice', label: '级别', options: optionsOf(levels) },
        { name: 'startsAt', kind: 'moment', label: '开始时间', help: '留空：立即开始' },
        { name: 'endsAt', kind: 'moment', label: '结束时间', help: '留空：一直展示' },
        { name: 'enabled', kind: 'flag', label: '启用' },
      ],
    }}
    create={{
      permission: 'announcement:create',
      label: '发布公告',
      run: (api, values) => api('POST core/sys/announcement/', values),
      done: ({ title }) => `已发布「${title}」`,
    }}
    update={{
      permission: 'announcement:update',
      run: (api, change) => api('PUT core/sys/announcement/', change),
    }}
    remove={{
      permission: 'announcement:remove',
      run: (api, { id }) => api('DELETE core/sys/announcement/', { id }),
      text: '读者立即不再看到，不能恢复。',
      bulkText: '删除后不能恢复。',
    }}
  />
);
