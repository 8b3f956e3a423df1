import { FLAG } from '@mozhan/contract/enums.ts';
import { isInfoPageName } from '@mozhan/contract/page-address.ts';
import type { ListedPage } from '@mozhan/contract/site.ts';
import { Tag } from 'antd';

type PageState = Pick<ListedPage, 'slug' | 'published'>;

export const pageStateText = ({ slug, published }: PageState): string => {
  if (isInfoPageName(slug)) return '内置';
  return published === FLAG.on ? '已发布' : '草稿';
};

const colours: Record<string, string> = { 内置: 'blue', 已发布: 'success', 草稿: 'default' };

export function PageStateTag({ page }: { page: PageState }) {
  const text = pageStateText(page);
  return <Tag color={colours[text]}>{text}</Tag>;
}
