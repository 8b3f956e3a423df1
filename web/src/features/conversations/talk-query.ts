import type { ChatMessage, ChatMessages, Talk as TalkRow } from '@mozhan/contract/chats.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';
import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { callPages } from '#web/lib/queries.ts';
import { emptyLog, type Log, lastSeq, merge, receive, startAt } from './log.ts';
import { talkName } from './outbox.ts';
import { isIn, type TalkPages, withRead, withSaid } from './talk-pages.ts';

const PAGE = 50;
/** From here on it is better to begin at the end than to ask for all in between. */
const FAR = 500;

interface Range {
  after?: number;
  before?: number;
}

export async function askMessages(
  api: Client,
  { userId, essayId }: TalkKey,
  range: Range,
  signal?: AbortSignal,
): Promise<ChatMessages> {
  const input = { limit: PAGE, ...range };
  const answer =
    userId === undefined
      ? await api('GET core/essay/group/chat', { essayId, ...input }, { signal })
      : await api('GET core/essay/pri/chat', { userId, ...input }, { signal });
  if (!('lastSeq' in answer)) throw new Error('asked for messages, got a list');
  return answer;
}

/** Named like a call, so that it is forgotten with everything else that was loaded for somebody. */
const keyOf = (talk: TalkKey) => ['GET talk', talkName(talk)] as const;

/** All that came after what is known, unless that is too much; of an unknown conversation the end. */
async function catchUp(ask: (range: Range) => Promise<ChatMessages>, known: () => Log | undefined) {
  const before = known();
  if (before === undefined) return merge(emptyLog, await ask({}));
  const answers: ChatMessages[] = [];
  let reached = lastSeq(before);
  let answer: ChatMessages;
  do {
    answer = await ask({ after: reached });
    if (before.follows && answer.lastSeq - reached > FAR) return startAt(before, await ask({}));
    answers.push(answer);
    reached = answer.list.at(-1)?.seq ?? reached;
  } while (before.follows && answer.more);
  // More may have come in live meanwhile.
  return answers.reduce(merge, known() ?? emptyLog);
}

/** The log of a conversation. To fetch it again is to catch up. */
export const logQuery = (api: Client, talk: TalkKey) =>
  queryOptions<Log>({
    queryKey: keyOf(talk),
    queryFn: ({ signal, client }) =>
      catchUp(
        (range) => askMessages(api, talk, range, signal),
        () => client.getQueryData<Log>(keyOf(talk)),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    // Without a network it says so, instead of waiting for one.
    networkMode: 'always',
    refetchOnMount: 'always',
    refetchOnReconnect: 'always',
  });

export const findLog = (queryClient: QueryClient, talk: TalkKey): Log | undefined =>
  queryClient.getQueryData<Log>(keyOf(talk));

/** Forgets what was said, and asks anew whether one may see it. */
export const resetLog = (queryClient: QueryClient, talk: TalkKey): void =>
  void queryClient.resetQueries({ queryKey: keyOf(talk), exact: true });

export const changeLog = (queryClient: QueryClient, talk: TalkKey, change: (log: Log) => Log): void =>
  void queryClient.setQueryData<Log>(keyOf(talk), (log) => log && change(log));

const LISTS = { chats: 'GET core/essay/pri/chat', rooms: 'GET core/essay/group/chat' } as const;
export type TalkKind = keyof typeof LISTS;
export const kindOf = ({ userId }: TalkKey): TalkKind => (userId === undefined ? 'rooms' : 'chats');

export const talksQuery = (api: Client, kind: TalkKind, keyword: string) =>
  callPages<(typeof LISTS)[TalkKind]>(api, LISTS[kind], keyword === '' ? {} : { keyword });

type Lists = InfiniteData<Page<TalkRow>>;

function changeLists(queryClient: QueryClient, talk: TalkKey, change: (pages: TalkPages) => TalkPages): void {
  queryClient.setQueriesData<Lists>({ queryKey: [LISTS[kindOf(talk)]] }, (data) => data && change(data));
}

/** Something was said: the lists show it at once; one that does not know the conversation is asked for again. */
export function talkSaid(queryClient: QueryClient, talk: TalkKey, message: ChatMessage, mine: boolean): void {
  const queryKey = [LISTS[kindOf(talk)]];
  const lists = queryClient.getQueriesData<Lists>({ queryKey });
  changeLists(queryClient, talk, (pages) => withSaid(pages, talk, message, mine));
  if (lists.some(([, data]) => data !== undefined && !isIn(data, talk)))
    void queryClient.invalidateQueries({ queryKey });
}

export const talkRead = (queryClient: QueryClient, talk: TalkKey, seq: number): void =>
  changeLists(queryClient, talk, (pages) => withRead(pages, talk, seq));

/** What one said oneself, as soon as the server has it. */
export function saidByMe(queryClient: QueryClient, talk: TalkKey, message: ChatMessage): void {
  changeLog(queryClient, talk, (log) => receive(log, message));
  talkSaid(queryClient, talk, message, true);
}
