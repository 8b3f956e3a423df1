import type { Site } from '@mozhan/contract/site.ts';

export type SiteFeatures = Site['features'];

interface FieldLabels {
  /** The label of the field, also used in sentences. */
  name: string;
  hint: string;
}

/** Labels for a sign-in code, depending on the channels of the site. */
export function codeFieldLabels({ mail, sms }: SiteFeatures): FieldLabels {
  if (mail && sms) return { name: '邮箱或手机号', hint: '填绑定的邮箱收邮件，填绑定的手机号收短信' };
  return sms
    ? { name: '手机号', hint: '验证码会用短信发到绑定的手机号' }
    : { name: '邮箱', hint: '验证码会发到绑定的邮箱' };
}

/** Labels for a password reset code. A mail goes to the address of the account, whichever name was entered. */
export function resetFieldLabels({ mail, sms }: SiteFeatures): FieldLabels & { placeholder: string } {
  if (mail && sms)
    return { name: '账号', placeholder: '手机号、邮箱或用户名', hint: '填手机号收短信，填其他的收邮件' };
  return sms
    ? { name: '手机号', placeholder: '绑定的手机号', hint: '验证码会用短信发到绑定的手机号' }
    : { name: '账号', placeholder: '用户名或邮箱', hint: '验证码会发到账号绑定的邮箱' };
}
