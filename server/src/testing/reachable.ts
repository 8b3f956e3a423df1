import { type AliyunSms, startAliyunSms } from './aliyun-sms.ts';
import { startTestApp, type TestApp } from './app.ts';
import { type Smtp, startSmtp } from './smtp.ts';

/** An app that mails and texts, to counterparts on this machine. */
export interface ReachableApp {
  t: TestApp;
  smtp: Smtp;
  aliyun: AliyunSms;
  close: () => Promise<void>;
}

export async function startReachableApp(): Promise<ReachableApp> {
  const [smtp, aliyun] = await Promise.all([startSmtp(), startAliyunSms()]);
  const t = await startTestApp({
    config: { smtpUrl: smtp.url, mailFrom: 'noreply@site.test', sms: aliyun.config },
  });
  const close = async () => {
    await t.close();
    await aliyun.close();
    smtp.close();
  };
  return { t, smtp, aliyun, close };
}
