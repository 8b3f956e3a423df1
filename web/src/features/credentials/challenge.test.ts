import type { Client } from '@mozhan/contract/client.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { createChallengeSolver, sendWithChallenge, useChallenge } from './challenge.ts';

vi.mock('./solve-challenge.ts', () => ({ solveInWorker: async () => ({ counter: 7, derivedKey: 'ab' }) }));

function server(challenges: ({ expiresAt: number } | null)[]) {
  const asked = vi.fn(async () => {
    const parameters = challenges.shift() ?? null;
    return { enabled: parameters !== null, challenge: parameters && { parameters, signature: 'x' } };
  });
  return { asked, solver: createChallengeSolver(asked as unknown as Client) };
}

const later = () => ({ expiresAt: Date.now() / 1000 + 300 });
const decode = (answer: string | undefined) => JSON.parse(atob(answer ?? ''));

test('an answer prepared while typing is used, and only once', async () => {
  const { asked, solver } = server([later(), later()]);
  solver.prepare();
  solver.prepare();
  expect(decode(await solver.take())).toMatchObject({
    challenge: { signature: 'x' },
    solution: { counter: 7 },
  });
  expect(asked).toHaveBeenCalledTimes(1);
  await solver.take();
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a prepared answer that has grown old is worked out again', async () => {
  const { asked, solver } = server([{ expiresAt: Date.now() / 1000 - 1 }, later()]);
  solver.prepare();
  await solver.take();
  expect(asked).toHaveBeenCalledTimes(2);
});

test('nothing is sent where the server asks for nothing', async () => {
  expect(await server([null]).solver.take()).toBeUndefined();
});

test('a call is sent again with an answer when the server asks for one', async () => {
  const { solver } = server([later()]);
  const send = vi.fn(async (challenge: string | undefined) => {
    if (challenge === undefined) throw new CallError('CHALLENGE_REQUIRED');
    return 'done';
  });
  expect(await sendWithChallenge(solver, send)).toBe('done');
  expect(send).toHaveBeenCalledTimes(2);
});

test('other refusals, and too many of these, are passed on', async () => {
  const wrong = () => Promise.reject(new CallError('WRONG_PASSWORD'));
  await expect(sendWithChallenge(server([]).solver, wrong)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
  const send = vi.fn(() => Promise.reject(new CallError('CHALLENGE_FAILED')));
  await expect(sendWithChallenge(server([later(), later(), later()]).solver, send)).rejects.toMatchObject({
    code: 'CHALLENGE_FAILED',
  });
  expect(send).toHaveBeenCalledTimes(3);
});

let form: ReturnType<typeof useChallenge> | undefined;

function Form({ api }: { api: Client }) {
  form = useChallenge(api);
  return null;
}

test('a form proves at once, or when the server asks for it', async () => {
  const { asked } = server([later(), later()]);
  renderToStaticMarkup(createElement(Form, { api: asked as unknown as Client }));
  const send = vi.fn(async (challenge?: string) => challenge !== undefined);
  expect(await form?.send(send)).toBe(false);
  expect(asked).not.toHaveBeenCalled();
  expect(await form?.prove(send)).toBe(true);
  expect(asked).toHaveBeenCalledTimes(1);
});
