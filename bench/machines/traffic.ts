import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './client.ts';

export interface LostWrite {
  answer: string;
  /** `performance.now()` */
  sentAt: number;
}

export interface TrafficFigures {
  pages: number;
  reads: number;
  writes: number;
  lostReads: string[];
  lostWrites: LostWrite[];
}

interface People {
  tokens: string[];
  essayId: string;
}

/** Readers with sequential requests. */
const READERS = 6;
/** Stays below the rate limit of one IP address. */
const CALL_PAUSE_MS = 400;
const PAGE_PAUSE_MS = 40;

const PAGES = ['/home', '/about.html', '/help.html', '/login.html'];

/** Generates page requests, reads and writes from one IP address until stopped. */
export function startTraffic(url: string, { tokens, essayId }: People) {
  const figures: TrafficFigures = { pages: 0, reads: 0, writes: 0, lostReads: [], lostWrites: [] };
  const confirmedIds: string[] = [];
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
      const input = { essayId, content, clientId: `stream-${Date.now()}-${at}-${nth}` };
      let sentAt = performance.now();
      const { status, errorCode } = await call(url, 'POST core/essay/group/chat', input, { token });
      figures.writes += 1;
      if (status === 200) confirmedIds.push(input.clientId);
      else figures.lostWrites.push({ answer: `POST ${status} ${errorCode ?? ''}`, sentAt });
      await sleep(CALL_PAUSE_MS);
      const name = { displayName: `读者 ${at} ${nth}` };
      sentAt = performance.now();
      const change = await call(url, 'PUT core/user/', name, { token });
      figures.writes += 1;
      if (change.status !== 200)
        figures.lostWrites.push({ answer: `PUT ${change.status} ${change.errorCode ?? ''}`, sentAt });
      await sleep(CALL_PAUSE_MS);
    }
  }

  const work = [
    ...Array.from({ length: READERS }, read),
    ...tokens.slice(0, 2).map(ask),
    ...tokens.slice(2, 4).map(write),
  ];
  return {
    confirmedIds,
    figures,
    async stop(): Promise<TrafficFigures> {
      isOver = true;
      await Promise.all(work);
      return figures;
    },
  };
}
