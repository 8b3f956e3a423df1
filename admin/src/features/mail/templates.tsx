import type { Output } from '@mozhan/contract/client.ts';
import { Segmented, Select } from 'antd';
import { useState } from 'react';
import { Card } from '#admin/ui/screen.tsx';
import { kindLabels } from './labels.ts';
import styles from './mail.module.css';

type Template = Output<'GET core/sys/mail/setup'>['templates'][number];

const FORMATS = [
  { value: 'html', label: '网页格式' },
  { value: 'text', label: '纯文本' },
];

/** Examples of all mails, as HTML and as plain text. */
export function Templates({ templates }: { templates: readonly Template[] }) {
  const [kind, setKind] = useState<Template['kind']>('code');
  const [format, setFormat] = useState('html');
  const template = templates.find((each) => each.kind === kind);
  if (template === undefined) return null;
  return (
    <Card>
      <div className={styles.tools}>
        <Select
          aria-label="邮件"
          value={kind}
          onChange={setKind}
          options={templates.map(({ kind }) => ({ value: kind, label: kindLabels[kind] }))}
          className={styles.kind}
        />
        <Segmented aria-label="格式" value={format} onChange={setFormat} options={FORMATS} />
      </div>
      <p className={styles.subject}>
        主题：<strong>{template.subject}</strong>
      </p>
      {format === 'html' ? (
        <iframe
          key={template.url}
          className={styles.frame}
          title={`${kindLabels[kind]}的样子`}
          src={template.url}
        />
      ) : (
        <pre className={styles.text}>{template.text}</pre>
      )}
    </Card>
  );
}
