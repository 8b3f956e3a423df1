import type { Output } from '@mozhan/contract/client.ts';
import { Alert } from 'antd';
import { Can } from '#admin/ui/can.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { Card } from '#admin/ui/screen.tsx';
import { TimeAgo } from '#admin/ui/time.tsx';
import { TestForm } from './test-form.tsx';

type MailSetup = Output<'GET core/sys/mail/setup'>;

/** The configuration of the mail server and the test. */
export function Setup({ setup }: { setup: MailSetup }) {
  const { configured, server, secure, from, testedAt } = setup;
  if (!configured)
    return (
      <Alert
        type="warning"
        showIcon
        title="没有配置邮件"
        description="在启动程序的环境里设置 SMTP_URL（例如 smtps://账号:授权码@smtp.example.com:465）和 MAIL_FROM，然后重新启动。在那之前，验证码、找回密码和通知汇总都发不出去。"
      />
    );
  return (
    <Card>
      <Facts
        facts={[
          ['邮件服务器', server ?? '开发模式：邮件打印在终端里'],
          server === null ? null : ['加密', secure ? '一直加密（smtps）' : '服务器支持时加密（STARTTLS）'],
          from === null ? null : ['发件地址', from],
          [
            '测试',
            testedAt === null ? (
              '还没有用现在的服务器测试过'
            ) : (
              <span key="at">
                <TimeAgo at={testedAt} />
                成功
              </span>
            ),
          ],
        ]}
      />
      <Can permission="mail:update">
        <TestForm />
      </Can>
    </Card>
  );
}
