import { createTransport } from 'nodemailer';
import type { Config } from '../../../config/config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string | undefined;
}

export interface Mailer {
  send: (mail: Mail) => Promise<void>;
  close: () => void;
}

/** SMTP where it is configured; in development mails are printed; else there is none. */
export function createMailer(config: Config, print: (sentence: string) => void): Mailer | null {
  if (config.smtpUrl !== undefined) {
    const transport = createTransport(config.smtpUrl, {
      from: config.mailFrom ?? `noreply@${new URL(config.siteUrl ?? 'http://localhost').hostname}`,
    });
    return {
      async send(mail) {
        await transport.sendMail(mail);
      },
      close: () => transport.close(),
    };
  }
  if (config.dev) {
    return {
      async send(mail) {
        print(`邮件 → ${mail.to}：${mail.subject}\n${mail.text}`);
      },
      close() {},
    };
  }
  return null;
}
