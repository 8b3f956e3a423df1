import type { MediaFile, MediaUse, MediaUseKind } from '@mozhan/contract/media.ts';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { Loaded } from '#admin/ui/loaded.tsx';
import type { PanelProps } from '#admin/ui/row-actions.tsx';
import { SiteLink } from '#admin/ui/site-link.tsx';
import styles from './media.module.css';

const kinds: Record<MediaUseKind, string> = {
  essay: '文章',
  column: '专栏',
  comment: '评论',
  page: '页面',
  announcement: '公告',
  cover: '封面与横幅',
  'friend-link': '友情链接',
  avatar: '头像',
  navigation: '导航',
  setting: '站点设置',
  chat: '聊天',
  letter: '私信',
  import: '导入',
};

export const describeUse = ({ kind, title }: MediaUse): string =>
  title === '' ? kinds[kind] : `${kinds[kind]}「${title}」`;

export const UseList = ({ uses }: { uses: readonly MediaUse[] }) => (
  <ul className={styles.uses}>
    {uses.map((use, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places may have the same title, and the list does not change
      <li key={at} title={describeUse(use)}>
        <span className={styles.kind}>{kinds[use.kind]}</span>{' '}
        {use.link === null ? use.title : <SiteLink to={use.link}>{use.title || '无标题'}</SiteLink>}
      </li>
    ))}
  </ul>
);

export const UsesDrawer = (props: PanelProps<MediaFile>) => (
  <DetailDrawer {...props} title={() => '用在哪里'}>
    {({ kind, id }) => (
      <Loaded route="GET core/sys/media/uses" input={{ kind, id }}>
        {({ list, more }) => (
          <>
            <UseList uses={list} />
            {more ? <p className={styles.more}>只列出了前 {list.length} 处。</p> : null}
          </>
        )}
      </Loaded>
    )}
  </DetailDrawer>
);
