import type { Job } from '@mozhan/contract/jobs.ts';
import { Flex } from 'antd';
import { Facts } from '#admin/ui/facts.tsx';
import styles from './job.module.css';

export function JobDetail({ job }: { job: Job }) {
  return (
    <Flex vertical gap={12}>
      {job.payload.length === 0 ? (
        <span>这个任务不带数据。</span>
      ) : (
        <Facts facts={job.payload.map(({ name, value }) => [name, value] as const)} />
      )}
      {job.lastError === null ? null : <p className={styles.error}>{job.lastError}</p>}
    </Flex>
  );
}
