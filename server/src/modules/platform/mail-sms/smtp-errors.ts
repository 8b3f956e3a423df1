/** The fields of Nodemailer's errors that are read here. */
interface SmtpError {
  message: string;
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
  rejectedErrors?: SmtpError[];
}

export interface SmtpFailure {
  /** In Chinese, for operators and users. */
  reason: string;
  /** The words of the server, or of the network. */
  response: string;
  /** The server refuses this mail for good. */
  permanent: boolean;
  /** The address of the recipient is refused for good. */
  bounced: boolean;
}

const MAX_RESPONSE_LENGTH = 500;

const isCertificateError = (text: string): boolean =>
  /certificate|self.signed|altnames|CERT_|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/i.test(text);
const isTlsError = (text: string): boolean =>
  /wrong version number|SSL|TLS|ssl3_get_record|packet length too long/i.test(text);

function explainNetwork({ code = '', message }: SmtpError): string | null {
  const text = `${code} ${message}`;
  if (isCertificateError(text))
    return '加密连接没有建立：邮件服务器的证书不受信任，或与主机名不符，请检查 SMTP_URL 里的主机名';
  if (code === 'ETLS' || isTlsError(text))
    return '加密连接没有建立：465 端口请用 smtps:// 开头，587 与 25 端口用 smtp:// 开头';
  if (/ECONNREFUSED/.test(text)) return '邮件服务器拒绝连接，请检查 SMTP_URL 里的主机名和端口';
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(text))
    return '找不到邮件服务器，请检查 SMTP_URL 里的主机名';
  if (/ETIMEDOUT|timeout|timed out|EHOSTUNREACH|ENETUNREACH/i.test(text))
    return '连接邮件服务器超时：请检查端口和防火墙；很多云服务器封了 25 端口，可以改用 465 或 587';
  if (/ECONNRESET|EPIPE|closed/i.test(text)) return '邮件服务器中断了连接，请检查端口和加密方式';
  return null;
}

/** RFC 3463: 5.7.x is a rule of the server, such as a refused relay, and says nothing about the address. */
function isAddressRefused({ responseCode = 0, response = '', command = '' }: SmtpError): boolean {
  const status = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(response)?.[1];
  if (status === '1' || status === '2') return true;
  return command === 'RCPT TO' && responseCode >= 500 && status !== '7';
}

function explainResponse(error: SmtpError): string {
  const { code, command = '', responseCode = 0 } = error;
  if (code === 'EAUTH' || responseCode === 535 || responseCode === 534)
    return '邮件服务器拒绝登录：账号或密码不对；很多邮箱要用「授权码」，而不是登录密码';
  if (responseCode === 530) return '邮件服务器要求先登录或先加密，请在 SMTP_URL 里写上账号和密码';
  if (command === 'MAIL FROM')
    return '发件地址被拒绝：MAIL_FROM 通常要与登录的账号一致，或先在服务商那里登记';
  if (isAddressRefused(error)) return '收件地址被退回：地址不存在、已停用或信箱已满';
  if (command === 'RCPT TO') return '邮件服务器不肯转给这个收件地址';
  return '邮件服务器不收这封邮件，可能被当成了垃圾邮件';
}

/** The last error of a mail to one recipient: the refusal of the recipient is nested. */
const innermost = (error: SmtpError): SmtpError => error.rejectedErrors?.[0] ?? error;

export function explainSmtpError(thrown: unknown): SmtpFailure {
  const error = innermost(thrown instanceof Error ? (thrown as SmtpError) : { message: String(thrown) });
  const { response = '', responseCode = 0, message } = error;
  const words = (response || message).slice(0, MAX_RESPONSE_LENGTH);
  if (responseCode === 0)
    return {
      reason: explainNetwork(error) ?? '没有连上邮件服务器',
      response: words,
      permanent: false,
      bounced: false,
    };
  if (responseCode < 500)
    return {
      reason: '邮件服务器暂时不收，稍后会再试',
      response: words,
      permanent: false,
      bounced: false,
    };
  const isLogin = error.code === 'EAUTH' || error.command === 'MAIL FROM' || responseCode === 530;
  const bounced = !isLogin && isAddressRefused(error);
  // A wrong password or sender concerns all mails and is mended by the operator, after which they are sent.
  return { reason: explainResponse(error), response: words, permanent: !isLogin, bounced };
}
