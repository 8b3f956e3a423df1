export { findTestedAt } from './actions.ts';
export { createMailer, type Mailer } from './mailer.ts';
export { removeMailsTo } from './queries.ts';
export { canSendMail, canSendSms, sendMail, sendMails, sendSms } from './send.ts';
export { createSmsSender, type SmsSender } from './sms-sender.ts';
export type { Mail, MailContent, MailSite } from './template.ts';
