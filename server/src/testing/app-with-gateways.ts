import { startTestAliyunSms, type TestAliyunSms } from './aliyun-sms.ts';
import { startTestApp, type TestApp } from './app.ts';
import { startTestSmtp, type TestSmtp } from './smtp.ts';

export interface AppWithGateways {
  t: TestApp;
  smtp: TestSmtp;
  aliyun: TestAliyunSms;
  close: () => Promise<void>;
}

export async function startAppWithGateways(): Promise<AppWithGateways> {
  const [smtp, aliyun] = await Promise.all([startTestSmtp(), startTestAliyunSms()]);
  const t = await startTestApp({
    runsJobs: true,
    config: { smtpUrl: smtp.url, mailFrom: 'noreply@site.test', sms: aliyun.config },
  });
  const close = async () => {
    await t.close();
    await aliyun.close();
    smtp.close();
  };
  return { t, smtp, aliyun, close };
}
