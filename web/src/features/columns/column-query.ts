import type { Client } from '@mozhan/contract/client.ts';
import { essayPages } from '#web/features/essays/essay-list.tsx';
import { callQuery } from '#web/lib/queries.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';

const ID = /^[0-9a-f]{32}$/;

export const columnQuery = (api: Client, id: string) => callQuery(api, 'GET core/essay/column/{id}', { id });

export const columnEssayPages = (api: Client, columnId: string, firstPage?: number) =>
  essayPages(api, { columnId }, firstPage);

export const readColumnPage = (search: URLSearchParams): number =>
  Number(/^[1-9]\d{0,3}$/.exec(search.get('page') ?? '')?.[0] ?? 1);

/** Rejects with 404 for a column or a page of its list that does not exist. */
export async function loadColumn({ api, queryClient }: LoadContext, id: string, page: number): Promise<void> {
  if (!ID.test(id)) throw new NotFoundError();
  const [{ pages }] = await Promise.all([
    queryClient.ensureInfiniteQueryData(columnEssayPages(api, id, page)),
    queryClient.ensureQueryData(columnQuery(api, id)),
  ]);
  if (page > 1 && pages[0]?.list.length === 0) throw new NotFoundError();
}
