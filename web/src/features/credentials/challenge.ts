import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { useState } from 'react';

interface SolvedChallenge {
  /** Undefined when the server requires none. */
  answer: string | undefined;
  validUntil: number;
}

interface ChallengeSolver {
  /** Starts solving while the reader is typing. */
  prepare: () => void;
  /** Returns a solution, which is valid for one call. */
  consume: () => Promise<string | undefined>;
}

const MARGIN_MS = 15_000;

async function solve(api: Client): Promise<SolvedChallenge> {
  const { enabled, challenge } = await api('GET core/account/challenge');
  if (!enabled || challenge === null) return { answer: undefined, validUntil: Number.POSITIVE_INFINITY };
  const { solveInWorker } = await import('./solve-challenge.ts');
  const solution = await solveInWorker(challenge);
  const { expiresAt } = challenge.parameters as { expiresAt?: number };
  return {
    answer: btoa(JSON.stringify({ challenge, solution })),
    validUntil: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000 - MARGIN_MS,
  };
}

export function createChallengeSolver(api: Client): ChallengeSolver {
  let pending: Promise<SolvedChallenge> | undefined;

  function start(): Promise<SolvedChallenge> {
    pending ??= solve(api);
    return pending;
  }

  return {
    prepare() {
      start().catch(() => {
        pending = undefined;
      });
    },
    async consume() {
      const prepared = pending !== undefined;
      try {
        const solved = await start();
        if (!prepared || solved.validUntil > Date.now()) return solved.answer;
      } finally {
        pending = undefined;
      }
      return (await solve(api)).answer;
    },
  };
}

const MAX_ATTEMPTS = 3;

/** Repeats the call with a new solution when the server requires one. */
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
      if (attempt === MAX_ATTEMPTS || !hasErrorCode(error, 'CHALLENGE_REQUIRED', 'CHALLENGE_FAILED'))
        throw error;
      challenge = await solver.consume();
    }
  }
}

export function useChallenge(api: Client) {
  const [solver] = useState(() => createChallengeSolver(api));
  return {
    prepare: solver.prepare,
    /** Solves a challenge only if the server requires one. */
    send: <T>(send: (challenge?: string) => Promise<T>) => sendWithChallenge(solver, send),
    /** Solves a challenge before sending, for calls that always require one. */
    sendWithProof: async <T>(send: (challenge?: string) => Promise<T>) =>
      sendWithChallenge(solver, send, await solver.consume()),
  };
}
