import { useRef } from 'react';

interface Wish<Answer> {
  send: (on: boolean) => Promise<Answer>;
  /** Shows it as done, before the server knows; gives back the way to take that back. */
  show: (on: boolean) => () => void;
  /** Shows what the server made of it. */
  settle: (answer: Answer) => void;
  onError: (error: unknown) => void;
}

/** Something to be on or off, shown at once. One call at a time: however fast wishes change, the last one counts. */
export function useWish<Answer>({
  send,
  show,
  settle,
  onError,
}: Wish<Answer>): (on: boolean) => Promise<void> {
  const wish = useRef({ isSending: false, on: false });

  return async (on) => {
    const undo = show(on);
    wish.current.on = on;
    if (wish.current.isSending) return;
    wish.current.isSending = true;
    let answer: Answer | undefined;
    try {
      let sent: boolean;
      do {
        sent = wish.current.on;
        answer = await send(sent);
      } while (sent !== wish.current.on);
      settle(answer);
    } catch (error) {
      if (answer === undefined) undo();
      else settle(answer);
      onError(error);
    } finally {
      wish.current.isSending = false;
    }
  };
}
