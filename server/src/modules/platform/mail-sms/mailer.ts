import { createTransport } from 'nodemailer';
import type { Config } from '../../../config/config.ts';

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  /** Missing in mails that older versions queued. */
  html?: string | undefined;
}

export interface Mailer {
  /** Returns the response of the server. */
  send: (mail: OutgoingMail) => Promise<string>;
  close: () => void;
}

/** Shorter than Nodemailer's, so that a job does not wait for minutes for a server that does not answer. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

export const senderOf = ({ mailFrom, siteUrl }: Pick<Config, 'mailFrom' | 'siteUrl'>): string =>
  mailFrom ?? `noreply@${new URL(siteUrl ?? 'http://localhost').hostname}`;

/** Uses SMTP if configured, prints mails in development, and otherwise returns null. */
export function createMailer(config: Config, print: (text: string) => void): Mailer | null {
  if (config.smtpUrl !== undefined) {
    const transport = createTransport({ url: config.smtpUrl, ...TIMEOUTS }, { from: senderOf(config) });
    return {
      send: async (mail) => (await transport.sendMail(mail)).response,
      close: () => transport.close(),
    };
  }
  if (config.dev) {
    return {
      async send(mail) {
        print(`邮件 → ${mail.to}：${mail.subject}\n${mail.text}`);
        return '';
      },
      close() {},
    };
  }
  return null;
}
