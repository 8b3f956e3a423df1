import type { Config } from '../../../config/config.ts';
import { sendByAliyun } from './sms-aliyun.ts';

export interface Sms {
  /** A mainland number. */
  to: string;
  /** All that it says; the words around it are the provider's template. */
  code: string;
}

export interface SmsSender {
  send: (sms: Sms) => Promise<void>;
}

/** Aliyun where it is configured; in development codes are printed; else there is none. */
export function createSmsSender({ sms, dev }: Config, print: (sentence: string) => void): SmsSender | null {
  if (sms !== null) return { send: (message) => sendByAliyun(sms, message) };
  if (dev) {
    return {
      async send({ to, code }) {
        print(`短信 → ${to}：验证码 ${code}`);
      },
    };
  }
  return null;
}
