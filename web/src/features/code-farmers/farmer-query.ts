import type { Client, Output } from '@mozhan/contract/client.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { callPagesQuery, callQuery } from '#web/lib/queries.ts';
import type { LoadContext } from '#web/router/navigation.ts';
import type { FarmerAddress } from './address.ts';

export const farmerPages = (api: Client, { skill, city, keyword, isOpen, page }: FarmerAddress) =>
  callPagesQuery(
    api,
    'GET core/code/farmer/',
    {
      ...(skill && { skill }),
      ...(city && { city }),
      ...(keyword && { keyword }),
      ...(isOpen && { openToWork: FLAG.on }),
    },
    page,
  );

export const skillsQuery = (api: Client) => callQuery(api, 'GET core/sys/dict/item/', { code: 'skill' });

export interface Skill {
  value: string;
  name: string;
}

/** With a `code` the call returns a list. */
export const toSkills = (data: Output<'GET core/sys/dict/item/'>): Skill[] =>
  Array.isArray(data) ? data.map(({ value, item }) => ({ value, name: item })) : [];

export const ownFarmerQuery = (api: Client) => callQuery(api, 'GET core/code/farmer/card');

export const farmerQuery = (api: Client, userId: string) =>
  callQuery(api, 'GET core/code/farmer/card', { userId });

export const loadFarmer = ({ api, queryClient }: LoadContext, { id }: { id: string }) =>
  queryClient.ensureQueryData(farmerQuery(api, id));
