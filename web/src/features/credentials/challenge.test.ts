import type { Client } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createChallengeSolver, sendWithChallenge, useChallenge } from './challenge.ts';

vi.mock('./solve-challenge.ts', () => ({ solveInWorker: async () => ({ counter: 7, derivedKey: 'ab' }) }));

function server(challenges: ({ expiresAt: number } | null)[]) {
  const request = vi.fn(async () => {
    const parameters = challenges.shift() ?? null;
    return { enabled: parameters !== null, challenge: parameters && { parameters, signature: 'x' } };
  });
  return { request, solver: createChallengeSolver(request as unknown as Client) };
}

const validChallenge = () => ({ expiresAt: Date.now() / 1000 + 300 });
const decode = (answer: string | undefined) => JSON.parse(atob(answer ?? ''));

test('uses a prepared solution only once', async () => {
  const { request, solver } = server([validChallenge(), validChallenge()]);
  solver.prepare();
  solver.prepare();
  expect(decode(await solver.consume())).toMatchObject({
    challenge: { signature: 'x' },
    solution: { counter: 7 },
  });
  expect(request).toHaveBeenCalledTimes(1);
  await solver.consume();
  expect(request).toHaveBeenCalledTimes(2);
});

test('solves again when the prepared solution has expired', async () => {
  const { request, solver } = server([{ expiresAt: Date.now() / 1000 - 1 }, validChallenge()]);
  solver.prepare();
  await solver.consume();
  expect(request).toHaveBeenCalledTimes(2);
});

test('returns undefined when the server requires no challenge', async () => {
  expect(await server([null]).solver.consume()).toBeUndefined();
});

test('repeats a call with a solution when the server requires one', async () => {
  const { solver } = server([validChallenge()]);
  const send = vi.fn(async (challenge: string | undefined) => {
    if (challenge === undefined) throw new CallError('CHALLENGE_REQUIRED');
    return 'done';
  });
  expect(await sendWithChallenge(solver, send)).toBe('done');
  expect(send).toHaveBeenCalledTimes(2);
});

test('rethrows other errors, and challenge errors after three attempts', async () => {
  const wrong = () => Promise.reject(new CallError('WRONG_PASSWORD'));
  await expect(sendWithChallenge(server([]).solver, wrong)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
  const send = vi.fn(() => Promise.reject(new CallError('CHALLENGE_FAILED')));
  await expect(
    sendWithChallenge(server([validChallenge(), validChallenge(), validChallenge()]).solver, send),
  ).rejects.toMatchObject({
    code: 'CHALLENGE_FAILED',
  });
  expect(send).toHaveBeenCalledTimes(3);
});

let form: ReturnType<typeof useChallenge> | undefined;

function Form({ api }: { api: Client }) {
  form = useChallenge(api);
  return null;
}

test('sends with a solution at once or only on request', async () => {
  const { request } = server([validChallenge(), validChallenge()]);
  renderToStaticMarkup(createElement(Form, { api: request as unknown as Client }));
  const send = vi.fn(async (challenge?: string) => challenge !== undefined);
  expect(await form?.send(send)).toBe(false);
  expect(request).not.toHaveBeenCalled();
  expect(await form?.sendWithProof(send)).toBe(true);
  expect(request).toHaveBeenCalledTimes(1);
});
