import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './client.ts';

export interface Figures {
  pages: number;
  reads: number;
  writes: number;
  /** What went wrong, by kind, as it was answered. */
  lostReads: string[];
  lostWrites: string[];
}

interface People {
  tokens: string[];
  essayId: string;
}

/** Readers that ask one after the other. */
const READERS = 6;
/** Fewer than the limits of one address allow. */
const CALL_PAUSE_MS = 400;
const PAGE_PAUSE_MS = 40;

const PAGES = ['/home', '/about.html', '/help.html', '/login.html'];

/** Pages, calls that read and calls that write, through one address, until it is stopped. */
export function startStream(url: string, { tokens, essayId }: People) {
  const figures: Figures = { pages: 0, reads: 0, writes: 0, lostReads: [], lostWrites: [] };
  const said: string[] = [];
  let writing = 0;
  let isOver = false;

  async function read(): Promise<void> {
    for (let nth = 0; !isOver; nth++) {
      const path = PAGES[nth % PAGES.length] ?? '';
      const status = await fetch(url + path, { signal: AbortSignal.timeout(20_000) }).then(
        async (response) => (await response.arrayBuffer()) && response.status,
        (error: unknown) => String(error),
      );
      figures.pages += 1;
      if (status !== 200) figures.lostReads.push(`${path} ${status}`);
      await sleep(PAGE_PAUSE_MS);
    }
  }

  async function ask(token: string): Promise<void> {
    while (!isOver) {
      const { status, errorCode } = await call(url, 'GET core/user/', {}, { token });
      figures.reads += 1;
      if (status !== 200) figures.lostReads.push(`GET core/user/ ${status} ${errorCode}`);
      await sleep(CALL_PAUSE_MS);
    }
  }

  async function write(token: string, at: number): Promise<void> {
    for (let nth = 0; !isOver; nth++) {
      const content = `${at} 号的第 ${nth} 句`;
      const given = { essayId, content, clientId: `stream-${Date.now()}-${at}-${nth}` };
      writing += 1;
      const { status, errorCode } = await call(url, 'POST core/essay/group/chat', given, { token });
      writing -= 1;
      figures.writes += 1;
      if (status === 200) said.push(given.clientId);
      else figures.lostWrites.push(`POST ${status} ${errorCode ?? ''}`);
      await sleep(CALL_PAUSE_MS);
      const name = { displayName: `读者 ${at} ${nth}` };
      writing += 1;
      const change = await call(url, 'PUT core/user/', name, { token });
      writing -= 1;
      figures.writes += 1;
      if (change.status !== 200) figures.lostWrites.push(`PUT ${change.status} ${change.errorCode ?? ''}`);
      await sleep(CALL_PAUSE_MS);
    }
  }

  const work = [
    ...Array.from({ length: READERS }, read),
    ...tokens.slice(0, 2).map(ask),
    ...tokens.slice(2, 4).map(write),
  ];
  return {
    /** Writes that are under way just now. */
    countWriting: () => writing,
    /** Those that were answered as done. */
    said,
    figures,
    async stop(): Promise<Figures> {
      isOver = true;
      await Promise.all(work);
      return figures;
    },
  };
}
