import { hasCode } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { useState } from 'react';

interface Solved {
  /** Undefined when the server asks for none. */
  answer: string | undefined;
  /** Milliseconds. */
  goodUntil: number;
}

interface ChallengeSolver {
  /** Begin while the reader still types, so that nobody waits. */
  prepare: () => void;
  /** Every answer serves once. */
  take: () => Promise<string | undefined>;
}

const MARGIN_MS = 15_000;

async function solve(api: Client): Promise<Solved> {
  const { enabled, challenge } = await api('GET core/account/challenge');
  if (!enabled || challenge === null) return { answer: undefined, goodUntil: Number.POSITIVE_INFINITY };
  const { solveInWorker } = await import('./solve-challenge.ts');
  const solution = await solveInWorker(challenge);
  const { expiresAt } = challenge.parameters as { expiresAt?: number };
  return {
    answer: btoa(JSON.stringify({ challenge, solution })),
    goodUntil: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000 - MARGIN_MS,
  };
}

/** Proof of work, done by the browser in the background. */
export function createChallengeSolver(api: Client): ChallengeSolver {
  let underWay: Promise<Solved> | undefined;

  function begin(): Promise<Solved> {
    underWay ??= solve(api);
    return underWay;
  }

  return {
    prepare() {
      begin().catch(() => {
        underWay = undefined;
      });
    },
    async take() {
      const prepared = underWay !== undefined;
      try {
        const solved = await begin();
        if (!prepared || solved.goodUntil > Date.now()) return solved.answer;
      } finally {
        underWay = undefined;
      }
      return (await solve(api)).answer;
    },
  };
}

const ATTEMPTS = 3;

/** Sends, and sends again with a fresh answer when the server asks for one. */
export async function sendWithChallenge<T>(
  solver: ChallengeSolver,
  send: (challenge: string | undefined) => Promise<T>,
  first?: string,
): Promise<T> {
  let challenge = first;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(challenge);
    } catch (error) {
      if (attempt === ATTEMPTS || !hasCode(error, 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED')) throw error;
      challenge = await solver.take();
    }
  }
}

/** For a form whose call needs proof of work. */
export function useChallenge(api: Client) {
  const [solver] = useState(() => createChallengeSolver(api));
  return {
    prepare: solver.prepare,
    /** Proves when the server asks for it. */
    send: <T>(send: (challenge?: string) => Promise<T>) => sendWithChallenge(solver, send),
    /** Proves before it sends: the server asks for it every time. */
    prove: async <T>(send: (challenge?: string) => Promise<T>) =>
      sendWithChallenge(solver, send, await solver.take()),
  };
}
