import type { LetterEvidence } from '@mozhan/contract/reports.ts';
import { Typography } from 'antd';
import { formatDateTime } from '#admin/lib/format.ts';
import styles from './letter-context.module.css';

/** The reported letter between its neighbours, as the reporter saw them. */
export const LetterContext = ({ letter: { subject, letters } }: { letter: LetterEvidence }) => (
  <section className={styles.context} aria-label="被举报的私信">
    {subject === '' ? null : <Typography.Text strong>{subject}</Typography.Text>}
    <ol>
      {letters.map(({ isReported, isByReporter, content, createdAt }) => (
        <li key={createdAt} data-reported={isReported || undefined}>
          <Typography.Text type="secondary">
            {isByReporter ? '举报人' : '被举报的人'}，{formatDateTime(createdAt).slice(0, 16)}
            {isReported ? '，被举报的这一封' : ''}
          </Typography.Text>
          <p>{content}</p>
        </li>
      ))}
    </ol>
  </section>
);
