import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const WAIT_TIMEOUT_MS = 120_000;

interface ReceivedMail {
  to: string;
  subject: string;
  /** The plain text. */
  body: string;
  html: string;
}

const decode = (encoding: string, body: string): string =>
  encoding === 'base64'
    ? Buffer.from(body, 'base64').toString('utf8')
    : Buffer.from(
        body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8');

/** The decoded part of a mail with this type, or '' if there is none. */
function partOf(raw: string, type: string): string {
  const found = raw.match(
    new RegExp(
      `Content-Type: ${type}[^]*?Content-Transfer-Encoding: ([\\w-]+)(?:\\r\\n[^\\r\\n]+)*\\r\\n\\r\\n([^]*?)(\\r\\n--|$)`,
      'i',
    ),
  );
  return decode(found?.[1] ?? '', found?.[2] ?? '').replaceAll('\r\n', '\n');
}

/** The decoded text of a mail without parts. */
function onlyPartOf(raw: string): string {
  const at = raw.indexOf('\r\n\r\n');
  const encoding = /^Content-Transfer-Encoding: ([\w-]+)/im.exec(raw.slice(0, at))?.[1] ?? '';
  return decode(encoding, raw.slice(at + 4));
}

const subjectOf = (raw: string): string =>
  [...(raw.match(/^Subject: (?:.*\r\n )*.*/m)?.[0] ?? '').matchAll(/=\?UTF-8\?(.)\?(.*?)\?=/g)]
    .map(([, how, word = '']) =>
      how === 'B' ? decode('base64', word) : decode('', word.replaceAll('_', ' ')),
    )
    .join('');

export interface TestSmtp {
  url: string;
  /** Mails that no test has consumed yet. */
  mails: ReceivedMail[];
  /** Waits for the oldest mail to an address whose body contains `word`, and removes it from `mails`. */
  waitForMail: (to: string, word?: string) => Promise<string>;
  /** Waits for a mail with a six-digit code and returns the code. */
  waitForCode: (to: string) => Promise<string>;
  /** Refuses mails to an address until `accept` is called. */
  refuse: (address: string, code: number, message: string) => void;
  accept: (address: string) => void;
  close: () => void;
}

export async function startTestSmtp(): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, Error>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, done) => done(refusals.get(address)),
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const to = session.envelope.rcptTo.map((each) => each.address).join();
        const html = partOf(raw, 'text/html');
        const body = html === '' ? onlyPartOf(raw) : partOf(raw, 'text/plain');
        mails.push({ to, subject: subjectOf(raw), body, html });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  async function waitForMail(to: string, word = ''): Promise<string> {
    const deadline = Date.now() + WAIT_TIMEOUT_MS;
    for (;;) {
      const at = mails.findIndex((mail) => mail.to === to && mail.body.includes(word));
      if (at >= 0) return mails.splice(at, 1)[0]?.body ?? '';
      if (Date.now() > deadline) throw new Error(`no mail to ${to} with ${word}`);
      await sleep(20);
    }
  }

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    waitForMail,
    waitForCode: async (to) => (await waitForMail(to, '验证码是')).match(/\b\d{6}\b/)?.[0] ?? '',
    refuse: (address, code, message) =>
      refusals.set(address, Object.assign(new Error(message), { responseCode: code })),
    accept: (address) => refusals.delete(address),
    close: () => server.close(),
  };
}
