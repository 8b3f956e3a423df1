import type { SiteSettings } from '@mozhan/contract/site.ts';
import type { Field } from '#admin/ui/fields.tsx';
import { ImageUpload } from '#admin/ui/image-upload.tsx';
import { ColourField } from './colour-field.tsx';

export type SettingField = Field<SiteSettings>;

interface Group {
  title: string;
  fields: SettingField[];
}

const themes = { light: '浅色', dark: '深色' };
const layouts = { top: '顶部导航', side: '侧边导航', mix: '混合导航' };
const widths = { Fixed: '定宽', Fluid: '流式' };

const options = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** A setting's value as text, to display the default. */
export function valueText(name: keyof SiteSettings, value: SiteSettings[typeof name]): string {
  if (typeof value === 'boolean') return value ? '开' : '关';
  if (typeof value === 'number') return String(value);
  if (value === '') return name === 'logo' ? '内置的标志' : '不填';
  const names: Record<string, string> = { ...themes, ...layouts, ...widths };
  return names[value] ?? value;
}

export const groupsOf = (disabled: boolean): Group[] => [
  {
    title: '基本',
    fields: [
      { name: 'title', kind: 'text', label: '站名', required: true, maxLength: 20 },
      { name: 'tagline', kind: 'text', label: '一句话介绍', maxLength: 60 },
      {
        name: 'logo',
        kind: 'own',
        label: '标志',
        control: <ImageUpload label="标志" disabled={disabled} />,
      },
      { name: 'pwa', kind: 'switch', label: '离线支持', help: '可安装到桌面，没有网络时仍能读看过的文章' },
      { name: 'showRegion', kind: 'switch', label: '显示 IP 属地', help: '文章与主页上写出所在的省份或国家' },
      {
        name: 'requirePhone',
        kind: 'switch',
        label: '发布前绑定手机号',
        help: '没有绑定的人不能提交文章、评论、聊天和写私信，工作人员除外；配置了短信才起作用',
      },
    ],
  },
  {
    title: '外观',
    fields: [
      {
        name: 'colorPrimary',
        kind: 'own',
        label: '主色',
        rules: [{ pattern: /^#[0-9a-f]{6}$/i, message: '请用 #ff6968 这样的颜色' }],
        control: <ColourField disabled={disabled} />,
      },
      { name: 'navTheme', kind: 'choice', label: '导航主题', options: options(themes) },
      { name: 'layout', kind: 'choice', label: '布局', options: options(layouts) },
      { name: 'contentWidth', kind: 'choice', label: '内容宽度', options: options(widths) },
      { name: 'fixedHeader', kind: 'switch', label: '固定顶栏' },
      { name: 'fixSiderbar', kind: 'switch', label: '固定侧栏' },
      { name: 'colorWeak', kind: 'switch', label: '色弱模式' },
    ],
  },
  {
    title: '热榜',
    fields: [
      {
        name: 'hotDays',
        kind: 'number',
        label: '热度的天数',
        min: 1,
        max: 365,
        suffix: '天',
        help: '十倍的关注抵得上几天的新旧：天数越多，旧的好文章留得越久；保存后几分钟内重排全站',
      },
      {
        name: 'hotFloor',
        kind: 'number',
        label: '热榜的门槛',
        min: 0,
        max: 1_000_000,
        suffix: '次阅读',
        help: '折合不到这么多次阅读的文章，排在所有够得上的之后（一个赞算 10 次，评论、收藏、分享算 20 次，打赏算 50 次）；0 为不设',
      },
    ],
  },
  {
    title: '备案与联系',
    fields: [
      { name: 'icp', kind: 'text', label: 'ICP 备案号', maxLength: 40, help: '留空则不显示' },
      { name: 'psb', kind: 'text', label: '公安备案号', maxLength: 40, help: '留空则不显示' },
      { name: 'email', kind: 'text', label: '联系邮箱', maxLength: 100, help: '显示在「联系我们」' },
    ],
  },
];
