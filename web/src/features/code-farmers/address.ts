import { searchText } from '#web/lib/search-text.ts';
import { pathTo } from '#web/router/router.tsx';

/** Whom the address of the directory asks for; '' is anybody. */
export interface FarmerAddress {
  skill: string;
  city: string;
  keyword: string;
  isOpen: boolean;
  page: number;
}

export function readFarmerAddress(search: URLSearchParams): FarmerAddress {
  return {
    skill: searchText(search, 'skill', 30),
    city: searchText(search, 'city', 30),
    keyword: searchText(search, 'q', 50),
    isOpen: search.get('open') === '1',
    page: Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1),
  };
}

/** Base path not included. */
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
