import type { Client } from '@mozhan/contract/client.ts';
import type { InfoPageName } from '@mozhan/contract/site.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/lib/queries.ts';

/** The same for everyone and seldom changed: leafing through the footer's pages asks once a minute. */
export const infoQuery = (api: Client, page: InfoPageName) =>
  queryOptions({
    queryKey: call(api, 'GET core/site/', { page }).queryKey,
    queryFn: ({ signal }) => api('GET core/site/', { page }, { signal, useCache: true }),
  });
