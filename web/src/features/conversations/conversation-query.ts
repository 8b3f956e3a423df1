import type { ChatMessage, ChatMessages, Conversation } from '@mozhan/contract/chats.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Page } from '@mozhan/contract/common.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';
import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { callPagesQuery } from '#web/lib/queries.ts';
import {
  type ConversationPages,
  includesConversation,
  unreadIn,
  withMessage,
  withReadSeq,
} from './conversation-pages.ts';
import { applyMessage, emptyLog, lastSeq, type MessageLog, mergeResponse, restartAt } from './message-log.ts';
import { conversationId } from './outbox.ts';

const PAGE_SIZE = 50;
/** With more missing messages, the log restarts at the end instead of loading all of them. */
const MAX_CATCH_UP = 500;

interface Range {
  after?: number;
  before?: number;
}

export async function fetchMessages(
  api: Client,
  { userId, essayId }: ConversationKey,
  range: Range,
  signal?: AbortSignal,
): Promise<ChatMessages> {
  const input = { limit: PAGE_SIZE, ...range };
  const response =
    userId === undefined
      ? await api('GET core/essay/group/chat', { essayId, ...input }, { signal })
      : await api('GET core/essay/pri/chat', { userId, ...input }, { signal });
  if (!('lastSeq' in response)) throw new Error('expected messages, got a list of conversations');
  return response;
}

/** Starts with `GET` like API queries, so that it is cleared with all other personal data at sign-out. */
const logKey = (key: ConversationKey) => ['GET talk', conversationId(key)] as const;

/** Loads all messages after the known ones, unless there are too many; for an unknown conversation the end. */
async function catchUp(
  fetchRange: (range: Range) => Promise<ChatMessages>,
  known: () => MessageLog | undefined,
) {
  const before = known();
  if (before === undefined) return mergeResponse(emptyLog, await fetchRange({}));
  const responses: ChatMessages[] = [];
  let lastLoaded = lastSeq(before);
  let response: ChatMessages;
  do {
    response = await fetchRange({ after: lastLoaded });
    if (before.followsEnd && response.lastSeq - lastLoaded > MAX_CATCH_UP)
      return restartAt(before, await fetchRange({}));
    responses.push(response);
    lastLoaded = response.list.at(-1)?.seq ?? lastLoaded;
  } while (before.followsEnd && response.more);
  // Live events may have added messages meanwhile.
  return responses.reduce(mergeResponse, known() ?? emptyLog);
}

/** The log of a conversation; refetching catches up. */
export const logQuery = (api: Client, key: ConversationKey) =>
  queryOptions<MessageLog>({
    queryKey: logKey(key),
    queryFn: ({ signal, client }) =>
      catchUp(
        (range) => fetchMessages(api, key, range, signal),
        () => client.getQueryData<MessageLog>(logKey(key)),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    // Fail at once without a network instead of pausing.
    networkMode: 'always',
    refetchOnMount: 'always',
    refetchOnReconnect: 'always',
  });

export const findLog = (queryClient: QueryClient, key: ConversationKey): MessageLog | undefined =>
  queryClient.getQueryData<MessageLog>(logKey(key));

export const resetLog = (queryClient: QueryClient, key: ConversationKey): void =>
  void queryClient.resetQueries({ queryKey: logKey(key), exact: true });

export const updateLog = (
  queryClient: QueryClient,
  key: ConversationKey,
  change: (log: MessageLog) => MessageLog,
): void => void queryClient.setQueryData<MessageLog>(logKey(key), (log) => log && change(log));

const LIST_ROUTES = { chats: 'GET core/essay/pri/chat', rooms: 'GET core/essay/group/chat' } as const;
export type ConversationKind = keyof typeof LIST_ROUTES;
export const kindOf = ({ userId }: ConversationKey): ConversationKind =>
  userId === undefined ? 'rooms' : 'chats';

export const conversationsQuery = (api: Client, kind: ConversationKind, keyword: string) =>
  callPagesQuery<(typeof LIST_ROUTES)[ConversationKind]>(
    api,
    LIST_ROUTES[kind],
    keyword === '' ? {} : { keyword },
  );

type ListData = InfiniteData<Page<Conversation>>;

function updateLists(
  queryClient: QueryClient,
  key: ConversationKey,
  change: (pages: ConversationPages) => ConversationPages,
): void {
  queryClient.setQueriesData<ListData>(
    { queryKey: [LIST_ROUTES[kindOf(key)]] },
    (data) => data && change(data),
  );
}

/**
 * Adds a message to the cached lists; refetches lists that do not contain the conversation. Returns whether a
 * conversation without unread messages has one now.
 */
export function addMessageToLists(
  queryClient: QueryClient,
  key: ConversationKey,
  message: ChatMessage,
  mine: boolean,
): boolean {
  const queryKey = [LIST_ROUTES[kindOf(key)]];
  const lists = queryClient.getQueriesData<ListData>({ queryKey });
  updateLists(queryClient, key, (pages) => withMessage(pages, key, message, mine));
  if (lists.some(([, data]) => data !== undefined && !includesConversation(data, key)))
    void queryClient.invalidateQueries({ queryKey });
  return lists.some(
    ([listKey, data]) =>
      data !== undefined &&
      unreadIn(data, key) === 0 &&
      (unreadIn(queryClient.getQueryData<ListData>(listKey) ?? data, key) ?? 0) > 0,
  );
}

export const invalidateRoomLists = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: [LIST_ROUTES.rooms] });

export const markReadInLists = (queryClient: QueryClient, key: ConversationKey, seq: number): void =>
  updateLists(queryClient, key, (pages) => withReadSeq(pages, key, seq));

export function addOwnMessage(queryClient: QueryClient, key: ConversationKey, message: ChatMessage): void {
  updateLog(queryClient, key, (log) => applyMessage(log, message));
  addMessageToLists(queryClient, key, message, true);
}
