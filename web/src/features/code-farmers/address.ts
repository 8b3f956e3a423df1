import { readSearchText } from '#web/lib/read-search-text.ts';
import { pathTo } from '#web/router/router.tsx';

/** Filter of the directory, read from the URL; '' means any. */
export interface FarmerAddress {
  skill: string;
  city: string;
  keyword: string;
  isOpen: boolean;
  page: number;
}

export function readFarmerAddress(search: URLSearchParams): FarmerAddress {
  return {
    skill: readSearchText(search, 'skill', 30),
    city: readSearchText(search, 'city', 30),
    keyword: readSearchText(search, 'q', 50),
    isOpen: search.get('open') === '1',
    page: Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1),
  };
}

/** Without the base path. */
export const farmersPath = ({
  skill,
  city,
  keyword,
  isOpen,
  page = 1,
}: Partial<FarmerAddress> = {}): string =>
  pathTo({
    to: '/home',
    search: {
      view: 'farmers',
      skill: skill || undefined,
      city: city || undefined,
      q: keyword || undefined,
      open: isOpen ? '1' : undefined,
      page: page > 1 ? String(page) : undefined,
    },
  });
