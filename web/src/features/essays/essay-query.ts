import type { Client } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callQuery, useQueryData } from '#web/lib/queries.ts';
import { useRefetchWhenSignedIn } from '#web/lib/use-refetch-when-signed-in.ts';
import { type LoadContext, NotFoundError } from '#web/router/navigation.ts';

const ID = /^[0-9a-f]{32}$/;
const SLUG = /^[\p{L}\d-]{2,80}$/u;

export const essayQuery = (api: Client, id: string) => callQuery(api, 'GET core/essay/{id}', { id });
export const relatedQuery = (api: Client, id: string) =>
  callQuery(api, 'GET core/essay/{id}/related', { id });
export const plansQuery = (api: Client) => callQuery(api, 'GET core/member/');
export const authorQuery = (api: Client, id: string) => callQuery(api, 'GET core/user/public', { id });

const slugQuery = (api: Client, slug: string) => callQuery(api, 'GET core/essay/slug', { slug });

/** The id of the essay at `/essay/detail/{address}.html`, where the address is an id or a slug. */
export async function loadEssayId({ api, queryClient }: LoadContext, address: string): Promise<string> {
  if (ID.test(address)) return address;
  if (!SLUG.test(address)) throw new NotFoundError();
  return (await queryClient.ensureQueryData(slugQuery(api, address))).id;
}

/** Rejects with 404 or 410 for an essay that does not exist. */
export async function loadEssay({ api, queryClient }: LoadContext, id: string): Promise<Essay> {
  // Only the essay itself decides whether the page exists; the other queries may fail.
  const related = queryClient.prefetchQuery(relatedQuery(api, id));
  const essay = await queryClient.ensureQueryData(essayQuery(api, id));
  const { author, locked, memberFree } = essay;
  await Promise.all([
    related,
    queryClient.prefetchQuery(authorQuery(api, author.id)),
    ...(locked !== null && memberFree ? [queryClient.prefetchQuery(plansQuery(api))] : []),
  ]);
  return essay;
}

/** Compares parsed HTML, because the server and the browser serialize it differently. */
function isSameHtml(a: string, b: string): boolean {
  const [first, second] = [a, b].map((html) => {
    const { innerHTML } = Object.assign(document.createElement('template'), { innerHTML: html });
    return innerHTML;
  });
  return first === second;
}

/** Keeps the displayed HTML unless it really changed, because replacing it would lose the reader's position. */
function useStableHtml(html: string): string {
  const stableHtml = useRef(html);
  if (stableHtml.current !== html && !isSameHtml(stableHtml.current, html)) stableHtml.current = html;
  return stableHtml.current;
}

function useEssayId(address: string): string | undefined {
  const isId = ID.test(address);
  const found = useQueryData({ ...slugQuery(useApi(), address), enabled: !isId });
  return isId ? address : found?.id;
}

/** The essay of the current page, which the page itself loads. */
export function useLoadedEssay(address: string): Essay | undefined {
  const api = useApi();
  const isId = ID.test(address);
  const found = useQueryData({ ...slugQuery(api, address), enabled: false });
  return useQueryData({ ...essayQuery(api, isId ? address : (found?.id ?? '')), enabled: false });
}

/** The server renders the essay for a visitor, so a signed-in reader requests it again. */
export function useEssay(address: string): Essay | undefined {
  const id = useEssayId(address);
  const { data, refetch } = useQuery({ ...essayQuery(useApi(), id ?? ''), enabled: id !== undefined });
  const html = useStableHtml(data?.html ?? '');
  useRefetchWhenSignedIn(refetch);
  return data && { ...data, html };
}
