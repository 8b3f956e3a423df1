import { readToken } from '#contract/browser/session.ts';
import { LIVE_PATH, type LiveEvents } from '#contract/live.ts';

export type LiveHandlers = { [Event in keyof LiveEvents]: LiveEvents[Event] };

/** Listens to what the server has to tell a signed-in reader; its code is fetched only then. Gives back the way to stop. */
export function connectLive(basePath: string, handlers: LiveHandlers): () => void {
  let stopped = false;
  let stop = () => {
    stopped = true;
  };

  async function open(): Promise<void> {
    const { io } = await import('socket.io-client');
    if (stopped) return;
    const socket = io({
      path: basePath + LIVE_PATH,
      transports: ['websocket'],
      // Asked for at every attempt: the token is renewed from time to time.
      auth: (send) => send({ token: readToken() }),
    });
    for (const [event, handler] of Object.entries(handlers)) socket.on(event, handler);
    stop = () => socket.disconnect();
  }

  // Live news are a convenience; without them the pages still ask for themselves.
  open().catch(() => {});
  return () => stop();
}
