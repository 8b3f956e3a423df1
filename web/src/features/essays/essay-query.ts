import type { Client } from '@mozhan/contract/client.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { useAskedAgain } from '#web/lib/use-asked-again.ts';
import { type LoadContext, NotFound } from '#web/router/navigation.ts';

const ID = /^[0-9a-f]{32}$/;

export const essayQuery = (api: Client, id: string) => call(api, 'GET core/essay/{id}', { id });
export const relatedQuery = (api: Client, id: string) => call(api, 'GET core/essay/{id}/related', { id });
export const plansQuery = (api: Client) => call(api, 'GET core/member/');
export const authorQuery = (api: Client, id: string) => call(api, 'GET core/user/public', { id });

/** Rejects with 404 or 410 for an essay that is not there. */
export async function loadEssay({ api, queryClient }: LoadContext, id: string): Promise<void> {
  if (!ID.test(id)) throw new NotFound();
  // Whether it is there at all is for the essay itself to say: the rest may be missing.
  const related = queryClient.prefetchQuery(relatedQuery(api, id));
  const { author, locked, memberFree } = await queryClient.ensureQueryData(essayQuery(api, id));
  await Promise.all([
    related,
    queryClient.prefetchQuery(authorQuery(api, author.id)),
    ...(locked !== null && memberFree ? [queryClient.prefetchQuery(plansQuery(api))] : []),
  ]);
}

/** The same words, whether as the server wrote them or as the browser reads them out of the page. */
function isSameHtml(one: string, other: string): boolean {
  const [first, second] = [one, other].map((html) => {
    const { innerHTML } = Object.assign(document.createElement('template'), { innerHTML: html });
    return innerHTML;
  });
  return first === second;
}

/** The text as it was first shown, unless it has really changed: replacing it would lose the reader's place in it. */
function useSteadyHtml(html: string): string {
  const shown = useRef(html);
  if (shown.current !== html && !isSameHtml(shown.current, html)) shown.current = html;
  return shown.current;
}

/** The essay as this reader may see it. The server's page is a visitor's, so whoever is signed in asks once more. */
export function useEssay(id: string): Essay | undefined {
  const { data, refetch } = useQuery(essayQuery(useApi(), id));
  const html = useSteadyHtml(data?.html ?? '');
  useAskedAgain(refetch);
  return data && { ...data, html };
}
