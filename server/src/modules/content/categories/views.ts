import type { Category as CategoryView } from '@mozhan/contract/categories.ts';
import { toFlag } from '@mozhan/contract/enums.ts';
import type { Category } from './tables.ts';

export function toCategory(category: Category): CategoryView {
  return {
    id: category.id,
    slug: category.slug,
    name: category.name,
    icon: category.icon,
    sort: category.sort,
    enabled: toFlag(category.enabled),
  };
}
