import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { before } from '@mozhan/contract/scan.ts';
import { SMTPServer } from 'smtp-server';

const PATIENCE = 10_000;

interface ReceivedMail {
  to: string;
  body: string;
}

export interface Smtp {
  url: string;
  /** What has arrived and was not taken yet. */
  mails: ReceivedMail[];
  /** Takes the oldest mail to somebody, whose body has `word`; waits for it. */
  take: (to: string, word?: string) => Promise<string>;
  /** Takes the six digits mailed to somebody. */
  takeCode: (to: string) => Promise<string>;
  close: () => void;
}

/** A real SMTP server on loopback. */
export async function startSmtp(): Promise<Smtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const head = before(raw, '\r\n\r\n');
        const encoded = head.includes('base64') ? raw.slice(head.length) : '';
        const to = session.envelope.rcptTo.map((each) => each.address).join();
        mails.push({ to, body: Buffer.from(encoded, 'base64').toString('utf8') || raw });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  async function take(to: string, word = ''): Promise<string> {
    const deadline = Date.now() + PATIENCE;
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
    take,
    takeCode: async (to) => (await take(to, '验证码是')).match(/\b\d{6}\b/)?.[0] ?? '',
    close: () => server.close(),
  };
}
