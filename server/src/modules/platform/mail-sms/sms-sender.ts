import type { Config } from '../../../config/config.ts';
import { sendByAliyun } from './sms-aliyun.ts';

export interface Sms {
  /** A mainland number. */
  to: string;
  /** The only variable of the provider's template. */
  code: string;
}

export interface SmsSender {
  send: (sms: Sms) => Promise<void>;
}

/** Uses Aliyun if configured, prints codes in development, and otherwise returns null. */
export function createSmsSender({ sms, dev }: Config, print: (text: string) => void): SmsSender | null {
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
