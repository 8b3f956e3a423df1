import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { textBefore } from '@mozhan/contract/text-scan.ts';
import { SMTPServer } from 'smtp-server';

const WAIT_TIMEOUT_MS = 10_000;

interface ReceivedMail {
  to: string;
  body: string;
}

export interface TestSmtp {
  url: string;
  /** Mails that no test has consumed yet. */
  mails: ReceivedMail[];
  /** Waits for the oldest mail to an address whose body contains `word`, and removes it from `mails`. */
  waitForMail: (to: string, word?: string) => Promise<string>;
  /** Waits for a mail with a six-digit code and returns the code. */
  waitForCode: (to: string) => Promise<string>;
  close: () => void;
}

export async function startTestSmtp(): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const head = textBefore(raw, '\r\n\r\n');
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
    close: () => server.close(),
  };
}
