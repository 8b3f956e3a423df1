import { FLAG, type Flag, toFlag } from '@mozhan/contract/enums.ts';
import { MAX_SLUG_LENGTH } from '@mozhan/contract/page-address.ts';
import type { ListedPage } from '@mozhan/contract/site.ts';
import { useApp } from '#admin/lib/app-context.ts';
import { Link } from '#admin/lib/navigation.tsx';
import { ago } from '#admin/ui/columns.tsx';
import { unpagedFrom } from '#admin/ui/lists.ts';
import { ResourceScreen } from '#admin/ui/resource-screen.tsx';
import type { RowAction } from '#admin/ui/row-actions.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';
import { PageStateTag, pageStateText } from './page-state.tsx';

type PageListRow = ListedPage & { id: string };

const editPath = (page: string): string => `/page?page=${page}`;

const setPublished = (label: string, published: Flag): RowAction<PageListRow> => ({
  label,
  permission: 'page:update',
  when: ({ builtIn, published: isNow }) => !builtIn && isNow !== published,
  run: (api, { page, version }) => api('PUT core/sys/page/', { page, version, published }),
  ...(published === FLAG.off && {
    ask: ({ title }: PageListRow) => ({
      title: `撤下「${title}」？`,
      text: '读者立即看不到它，导航里也不再显示；正文留作草稿，可以再发布。',
      danger: true,
    }),
  }),
});

const states = ['内置', '已发布', '草稿'].map((value) => ({ value, label: value }));

/** All pages; a new one is opened in the editor at once. */
export function PageList() {
  const { router } = useApp();
  return (
    <ResourceScreen
      name="page"
      title="页面"
      intro="用 Markdown 书写的独立页面；内置的六个可以改，不能删"
      list={unpagedFrom('GET core/sys/page/all', (pages): PageListRow[] =>
        pages.map((row) => ({ ...row, id: row.page })),
      )}
      nameOf={(row) => row.title}
      columns={[
        {
          key: 'title',
          title: '标题',
          text: (row) => row.title,
          show: ({ page, title }) => <Link to={editPath(page)}>{title}</Link>,
        },
        {
          key: 'path',
          title: '地址',
          text: (row) => decodeURI(row.path),
          show: ({ path, published }) => {
            const text = <code>{decodeURI(path)}</code>;
            return published === FLAG.on ? <SiteLink to={path}>{text}</SiteLink> : text;
          },
        },
        {
          key: 'state',
          title: '状态',
          text: pageStateText,
          show: (row) => <PageStateTag page={row} />,
        },
        {
          key: 'inNavigation',
          title: '导航',
          text: ({ inNavigation }) => (inNavigation ? '在导航里' : '-'),
        },
        ago('updatedAt', '更新'),
      ]}
      keyword="搜索标题或地址"
      filters={[
        {
          name: 'state',
          label: '状态',
          options: states,
          test: (row, value) => pageStateText(row) === value,
        },
        {
          name: 'nav',
          label: '导航',
          options: [
            { value: '1', label: '在导航里' },
            { value: '0', label: '不在导航里' },
          ],
          test: (row, value) => String(toFlag(row.inNavigation)) === value,
        },
      ]}
      form={{
        values: () => ({ title: '', slug: '' }),
        fields: [
          { name: 'title', kind: 'text', label: '标题', required: true, maxLength: 50 },
          {
            name: 'slug',
            kind: 'text',
            label: '地址',
            maxLength: MAX_SLUG_LENGTH,
            placeholder: 'team',
            help: '页面在 /page/地址.html；小写字母、数字、短横线或汉字；留空则由标题而来',
          },
        ],
        codes: { PAGE_TAKEN: 'slug' },
      }}
      create={{
        permission: 'page:create',
        run: async (api, { title, slug }) => {
          const { page } = await api('POST core/sys/page/', { title, ...(slug === '' ? {} : { slug }) });
          await router.navigate(editPath(page), { sameScreen: true });
        },
        done: ({ title }) => `已新建草稿「${title}」`,
      }}
      rowActions={[
        { label: '编辑', first: true, to: ({ page }) => editPath(page) },
        setPublished('发布', FLAG.on),
        setPublished('撤下', FLAG.off),
      ]}
      remove={{
        permission: 'page:remove',
        when: ({ builtIn }) => !builtIn,
        run: (api, { page }) => api('DELETE core/sys/page/', { page }),
        text: '页面和它的历史版本都会删除，不能恢复。',
      }}
      exempt={({ builtIn }) => builtIn}
    />
  );
}
