import { SendOutlined } from '@ant-design/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useEffect, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { POLL_MS } from '#admin/lib/use-polling.ts';
import { useViewer } from '#admin/lib/viewer.ts';
import styles from './mail.module.css';

/** The result of a test mail; polls until the server has answered. */
function Result({ id }: { id: string }) {
  const { api } = useApp();
  const { data } = useQuery({
    ...call(api, 'GET core/sys/mail/one', { id }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.status === 'waiting' ? POLL_MS : false,
  });
  const isFinished = data !== undefined && data.status !== 'waiting';
  const queryClient = useQueryClient();
  // The log and the time of the last test are on the same screen.
  useEffect(() => {
    if (!isFinished) return;
    for (const route of ['GET core/sys/mail/', 'GET core/sys/mail/setup'])
      void queryClient.invalidateQueries({ queryKey: [route] });
  }, [isFinished, queryClient]);
  if (data === undefined || data.status === 'waiting')
    return <Alert role="status" type="info" showIcon title="正在发送…" />;
  const response =
    data.response === '' ? null : (
      <>
        邮件服务器的响应：<code className={styles.response}>{data.response}</code>
      </>
    );
  return data.status === 'sent' ? (
    <Alert
      role="status"
      type="success"
      showIcon
      title={`邮件服务器收下了发往 ${data.address} 的邮件，请去信箱看看，也看看垃圾邮件`}
      description={response}
    />
  ) : (
    <Alert role="alert" type="error" showIcon title={data.reason} description={response} />
  );
}

export function TestForm() {
  const { api } = useApp();
  const { user } = useViewer();
  const showError = useShowError();
  const [sent, setSent] = useState<string>();
  const [isSending, setSending] = useState(false);
  const send = async ({ to }: { to: string }) => {
    setSending(true);
    try {
      setSent((await api('POST core/sys/mail/test', { to })).id);
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <div className={styles.test}>
      <Form
        layout="inline"
        requiredMark={false}
        colon={false}
        initialValues={{ to: user.email ?? '' }}
        onFinish={(values) => void send(values)}
      >
        <Form.Item
          name="to"
          label="发到"
          rules={[{ required: true, type: 'email', message: '请填写一个邮箱地址' }]}
        >
          <Input type="email" autoComplete="email" maxLength={100} placeholder="你的邮箱" />
        </Form.Item>
        <Button htmlType="submit" icon={<SendOutlined aria-hidden />} loading={isSending}>
          发送测试邮件
        </Button>
      </Form>
      {sent === undefined ? null : <Result key={sent} id={sent} />}
    </div>
  );
}
