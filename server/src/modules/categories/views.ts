import type { Category as CategoryView } from '#contract/categories.ts';
import type { Category } from './tables.ts';

export function toCategory(category: Category): CategoryView {
  return {
    id: category.id,
    slug: category.slug,
    name: category.name,
    icon: category.icon,
    sort: category.sort,
    enabled: category.enabled ? 1 : 0,
  };
}
