import type { ChatMessage } from '@mozhan/contract/chats.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { LIVE_PATH, type LiveEvents, type LiveWishes } from '@mozhan/contract/live.ts';
import type pg from 'pg';
import { io, type Socket } from 'socket.io-client';

/** So many essays that everybody may read, each with its room. */
export async function makeRooms(client: pg.Client, count: number): Promise<string[]> {
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

export type LiveSocket = Socket<LiveEvents, LiveWishes>;

/** A page that listens to a room, again after every interruption. */
export function listen(
  url: string,
  { token, essayId }: { token: string; essayId: string },
  heard: { message: (message: ChatMessage) => void; joined: () => void },
): LiveSocket {
  const socket: LiveSocket = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    forceNew: true,
    auth: { token },
    reconnectionDelay: 200,
    reconnectionDelayMax: 1000,
  });
  socket.on('chat', ({ message }) => heard.message(message));
  socket.on('connect', () => socket.emit('join', [essayId], ([room]) => room && heard.joined()));
  return socket;
}

interface Answer<T> {
  success: boolean;
  errorCode?: string;
  data: T;
}

/** A call about a room; null: nobody answered, or could not just now. */
export async function callRoom<T>(
  url: string,
  token: string,
  method: string,
  given: object,
): Promise<T | null> {
  const query =
    method === 'GET' ? `?${new URLSearchParams(Object.entries(given).map(([k, v]) => [k, `${v}`]))}` : '';
  const answer = await fetch(`${url}/api/core/essay/group/chat${query}`, {
    method,
    headers: { token, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(given) }),
  }).then(
    (response) => response.json() as Promise<Answer<T>>,
    () => null,
  );
  if (answer?.success) return answer.data;
  if (answer !== null && answer.errorCode !== 'UNAVAILABLE') throw new Error(JSON.stringify(answer));
  return null;
}
