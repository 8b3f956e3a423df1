import { FLAG } from '@mozhan/contract/enums.ts';
import { Space } from 'antd';
import { enabledFilter } from '#admin/ui/filters.tsx';
import { IconPicker } from '#admin/ui/icon-picker.tsx';
import { categoryIcons, NamedIcon } from '#admin/ui/icons.tsx';
import { unpaged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';

export const Page = () => (
  <ResourceScreen
    name="category"
    title="分类"
    intro="文章的分类，按这里的顺序出现在网站的导航里"
    list={unpaged('GET core/sys/category/')}
    columns={[
      {
        key: 'name',
        title: '名称',
        text: (row) => row.name,
        show: (row) => (
          <Space size={8}>
            <NamedIcon icons={categoryIcons} name={row.icon} />
            {row.name}
          </Space>
        ),
      },
      {
        key: 'slug',
        title: '地址',
        text: (row) => `/essay/${row.slug}.html`,
        show: ({ slug, enabled }) => {
          const path = <code>/essay/{slug}.html</code>;
          return enabled === FLAG.on ? <SiteLink to={`/essay/${slug}.html`}>{path}</SiteLink> : path;
        },
      },
      'order',
      'enabled',
    ]}
    keyword="搜索名称或地址"
    filters={[enabledFilter]}
    form={{
      values: (row) => ({
        name: row?.name ?? '',
        slug: row?.slug ?? '',
        icon: row?.icon ?? 'code',
        enabled: row?.enabled ?? FLAG.on,
      }),
      fields: [
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 20 },
        {
          name: 'slug',
          kind: 'text',
          label: '地址',
          required: true,
          maxLength: 32,
          placeholder: 'program',
          help: '页面在 /essay/地址.html；改动后，旧的地址不再有效',
        },
        { name: 'icon', kind: 'own', label: '图标', control: <IconPicker icons={categoryIcons} /> },
        { name: 'enabled', kind: 'flag', label: '启用', help: '停用后读者看不到它' },
      ],
      codes: { CATEGORY_TAKEN: 'slug' },
    }}
    create={{
      permission: 'category:create',
      run: (api, values) => api('POST core/sys/category/', values),
      done: ({ name }) => `已新建分类「${name}」`,
    }}
    update={{ permission: 'category:update', run: (api, change) => api('PUT core/sys/category/', change) }}
    remove={{
      permission: 'category:remove',
      run: (api, { id }) => api('DELETE core/sys/category/', { id }),
    }}
  />
);
