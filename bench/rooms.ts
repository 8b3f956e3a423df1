import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { LIVE_PATH, type LiveEvents, type LiveRequests } from '@mozhan/contract/live.ts';
import type pg from 'pg';
import { io, type Socket } from 'socket.io-client';

/** Creates public essays, each of which has a room. */
export async function createRooms(client: pg.Client, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into essays (id, author_id, title, status, shelved_version, published_at, updated_at, saved_at, created_at)
     select gen_random_uuid(), author.id, '第 ' || n || ' 篇', ${ESSAY_STATUS.onShelf}, 1, now(), now(), now(), now()
     from (select id from users where cur_identity = ${IDENTITY.writer} order by id limit 1) author, generate_series(1, $1::int) n
     returning id`,
    [count],
  );
  await client.query('analyze');
  return rows.map((row) => row.id.replaceAll('-', ''));
}

export type LiveSocket = Socket<LiveEvents, LiveRequests>;

/** Joins a room, again after every reconnect. */
export function listen(
  url: string,
  { token, essayId }: { token: string; essayId: string },
  handlers: { message: (message: ChatMessage) => void; joined: () => void },
): LiveSocket {
  const socket: LiveSocket = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    auth: { token },
    reconnectionDelay: 200,
    reconnectionDelayMax: 1000,
  });
  socket.on('chat', ({ message }) => handlers.message(message));
  socket.on('connect', () => socket.emit('join', [essayId], ([room]) => room && handlers.joined()));
  return socket;
}

interface Answer<T> {
  success: boolean;
  errorCode?: string;
  data: T;
}

/** Calls the room API; null without a response or when the server is unavailable. */
export async function callRoom<T>(
  url: string,
  token: string,
  method: string,
  input: object,
): Promise<T | null> {
  const query =
    method === 'GET' ? `?${new URLSearchParams(Object.entries(input).map(([k, v]) => [k, `${v}`]))}` : '';
  const answer = await fetch(`${url}/api/core/essay/group/chat${query}`, {
    method,
    headers: { token, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(input) }),
  }).then(
    (response) => response.json() as Promise<Answer<T>>,
    () => null,
  );
  if (answer?.success) return answer.data;
  if (answer !== null && answer.errorCode !== 'UNAVAILABLE') throw new Error(JSON.stringify(answer));
  return null;
}
