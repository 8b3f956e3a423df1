import type { StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { Option } from '#admin/ui/fields.tsx';
import { rowForm } from '#admin/ui/row-form.tsx';
import { MAX_TAGS, TagsInput } from './tags-input.tsx';

export const categorizeForm = (categories: readonly Option[]) =>
  rowForm({
    title: ({ title }: StaffEssay) => `「${title}」的分类、标签与网址`,
    intro: () => <p>改动马上生效，作者会收到通知。</p>,
    action: '保存',
    values: ({ category, tags, slug }: StaffEssay) => ({
      categoryId: category?.id ?? '',
      tags,
      slug: slug ?? '',
    }),
    fields: [
      { name: 'categoryId', kind: 'select', label: '分类', required: true, options: categories },
      {
        name: 'tags',
        kind: 'own',
        label: '标签',
        help: `最多 ${MAX_TAGS} 个；输入后按回车`,
        control: <TagsInput />,
      },
      {
        name: 'slug',
        kind: 'text',
        label: '自定义网址',
        maxLength: 80,
        help: '小写字母、数字、汉字和短横线，代替网址里的编号；旧的网址会跳到新的',
      },
    ],
    run: (api, { id, category, tags: before, slug: slugBefore }, { categoryId, tags, slug }) =>
      api('PUT core/sys/essay/', {
        id,
        ...(categoryId !== category?.id && { categoryId }),
        ...(tags.join() !== before.join() && { tags }),
        ...(slug !== (slugBefore ?? '') && { slug: slug === '' ? null : slug }),
      }),
    done: ({ title }) => `已改好「${title}」`,
  });
