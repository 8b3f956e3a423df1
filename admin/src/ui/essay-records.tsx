import type { EssayRecord } from '@mozhan/contract/staff-essays.ts';
import styles from './essay-records.module.css';
import { SecondaryText } from './secondary-text.tsx';
import { TimeAgo } from './time.tsx';

/** Labels by target status, or by `from→to` where the origin matters. */
const actionLabels: Record<string, string> = {
  '1': '提交审核',
  '5→1': '再次提交',
  '1→0': '撤回',
  '0': '改回草稿',
  '2': '通过',
  '5': '驳回',
  '3': '上架',
  '4→3': '重新上架',
  '4': '下架',
};
const revisionActionLabels: Record<string, string> = {
  '0': '撤回修订',
  '1': '提交修订',
  '3': '通过修订',
  '5': '驳回修订',
};

function actionName({ fromStatus, toStatus, revision, appeal }: EssayRecord): string {
  if (appeal) return '申诉';
  if (revision) return revisionActionLabels[toStatus] ?? '修订';
  if (fromStatus === null) return '新建';
  return actionLabels[`${fromStatus}→${toStatus}`] ?? actionLabels[toStatus] ?? '';
}

export function EssayRecords({ records }: { records: readonly EssayRecord[] }) {
  if (records.length === 0) return <SecondaryText>还没有记录</SecondaryText>;
  return (
    <ol className={styles.records}>
      {records.map((record) => (
        <li key={record.id}>
          <div className={styles.line}>
            <strong>{actionName(record)}</strong>
            <span className={styles.who}>{record.user?.displayName ?? '系统'}</span>
            <TimeAgo at={record.createdAt} />
          </div>
          {record.reason === '' ? null : <p className={styles.reason}>{record.reason}</p>}
        </li>
      ))}
    </ol>
  );
}
