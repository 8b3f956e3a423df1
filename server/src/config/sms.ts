import { z } from 'zod';
import { type ReportProblem, requireAllOrNone } from './all-or-none.ts';

export const smsEnvironment = {
  SMS_ACCESS_KEY_ID: z.string().optional(),
  SMS_ACCESS_KEY_SECRET: z.string().optional(),
  SMS_SIGN_NAME: z.string().optional(),
  SMS_TEMPLATE_CODE: z.string().optional(),
  SMS_ENDPOINT: z
    .url({ protocol: /^https?$/, error: '应是以 http:// 或 https:// 开头的网址' })
    .transform((value) => new URL(value).origin)
    .optional(),
};

export interface SmsConfig {
  accessKeyId: string;
  accessKeySecret: string;
  /** Sender name, as approved by Aliyun. */
  signName: string;
  /** A template with the single variable `code`. */
  templateCode: string;
  endpoint: string;
}

export function readSms(
  e: z.output<z.ZodObject<typeof smsEnvironment>>,
  reportProblem: ReportProblem,
): SmsConfig | null {
  const { SMS_ACCESS_KEY_ID, SMS_ACCESS_KEY_SECRET, SMS_SIGN_NAME, SMS_TEMPLATE_CODE, SMS_ENDPOINT } = e;
  const given = requireAllOrNone(
    { SMS_ACCESS_KEY_ID, SMS_ACCESS_KEY_SECRET, SMS_SIGN_NAME, SMS_TEMPLATE_CODE },
    reportProblem,
  );
  if (given === null) {
    if (SMS_ENDPOINT !== undefined)
      reportProblem('SMS_ENDPOINT', '只在设置了 SMS_ACCESS_KEY_ID 等几项时有用');
    return null;
  }
  return {
    accessKeyId: given.SMS_ACCESS_KEY_ID,
    accessKeySecret: given.SMS_ACCESS_KEY_SECRET,
    signName: given.SMS_SIGN_NAME,
    templateCode: given.SMS_TEMPLATE_CODE,
    endpoint: SMS_ENDPOINT ?? 'https://dysmsapi.aliyuncs.com',
  };
}
