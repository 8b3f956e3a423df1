import type { Category } from '../../categories/tables.ts';

export const toNavCategory = ({ id, slug, name, icon }: Category) => ({ id, slug, name, icon });
