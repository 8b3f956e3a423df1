export { createMailer, type Mail, type Mailer } from './mailer.ts';
export { canSendMail, canSendSms, sendMail, sendMails, sendSms } from './send.ts';
export { createSmsSender, type SmsSender } from './sms-sender.ts';
