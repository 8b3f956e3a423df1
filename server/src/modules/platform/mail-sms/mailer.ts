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

/** Uses SMTP if configured, prints mails in development, and otherwise returns null. */
export function createMailer(config: Config, print: (text: string) => void): Mailer | null {
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
