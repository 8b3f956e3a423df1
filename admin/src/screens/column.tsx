import { FLAG } from '@mozhan/contract/enums.ts';
import { formatYuan, toYuan } from '@mozhan/contract/money.ts';
import { count, person, text, time } from '#admin/ui/columns.tsx';
import { userFilter } from '#admin/ui/filters.tsx';
import { ImageUpload } from '#admin/ui/image-upload.tsx';
import { paged } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

const sales = [
  { value: String(FLAG.on), label: '单独出售' },
  { value: String(FLAG.off), label: '不单独出售' },
];

export const Page = () => (
  <ResourceScreen
    name="column"
    title="专栏"
    intro="作者把文章编成的系列，新的在前"
    list={paged('GET core/sys/column/')}
    columns={[
      {
        key: 'name',
        title: '名称',
        text: (row) => row.name,
        show: (row) => <SiteLink to={`/column/${row.id}.html`}>{row.name}</SiteLink>,
      },
      person('author', '作者'),
      count('essayCount', '已上架的文章', { sort: true }),
      count('followerCount', '关注的人', { hidden: true }),
      {
        key: 'price',
        title: '价格（元）',
        text: (row) => (row.price === 0 ? '-' : toYuan(row.price)),
        show: (row) => (row.price === 0 ? '不单独出售' : formatYuan(row.price)),
      },
      time('createdAt', '创建时间', { sort: true }),
      text('summary', '简介', { hidden: true }),
    ]}
    keyword="搜索专栏名称"
    keywordMax={40}
    filters={[userFilter('authorId', '作者'), { name: 'priced', label: '出售', options: sales }]}
    form={{
      onlyChanges: true,
      values: (row) => ({
        authorId: row?.author.id,
        name: row?.name ?? '',
        summary: row?.summary ?? '',
        cover: row?.cover ?? '',
        price: row?.price ?? 0,
      }),
      fields: (_, row) => [
        row === undefined && {
          name: 'authorId',
          kind: 'own',
          label: '作者',
          help: '专栏属于这位作者，作者会收到通知',
          rules: [{ required: true, message: '请选择作者' }],
          control: <UserFilter label="作者" block />,
        },
        { name: 'name', kind: 'text', label: '名称', required: true, maxLength: 40 },
        { name: 'summary', kind: 'text', label: '简介', maxLength: 200 },
        { name: 'cover', kind: 'own', label: '封面', control: <ImageUpload label="封面" disabled={false} /> },
        {
          name: 'price',
          kind: 'money',
          label: '价格',
          min: 0,
          max: 100_000,
          help: '0 为不单独出售；只影响以后的购买，已买的读者照常可读',
        },
      ],
    }}
    create={{
      permission: 'column:create',
      label: '代作者建专栏',
      run: (api, { authorId = '', ...values }) => api('POST core/sys/column/', { authorId, ...values }),
    }}
    update={{
      permission: 'column:update',
      run: (api, { authorId: _, ...change }) => api('PUT core/sys/column/', change),
    }}
    rowActions={[{ label: '文章', permission: 'essay:list', to: ({ id }) => `/essay?columnId=${id}` }]}
    remove={{
      permission: 'column:remove',
      run: (api, { id }) => api('DELETE core/sys/column/', { id }),
      text: '其中的文章都会留下，只是不再属于这个专栏。删除后不能恢复。',
    }}
  />
);
