import type { BackupPlan, BackupSchedule } from '@mozhan/contract/backups.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, App, Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatBytes, formatDateTime } from '#admin/lib/format.ts';
import { call } from '#admin/lib/queries.ts';
import { Can } from '#admin/ui/can.tsx';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { Card, LoadError } from '#admin/ui/screen.tsx';
import styles from './backup.module.css';

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const retentionText = ({ daily, weekly }: Pick<BackupSchedule, 'daily' | 'weekly'>): string =>
  `最近 ${daily} 天每天一份${weekly === 0 ? '' : `，最近 ${weekly} 周每周一份`}`;

/** Schedule and folder of automatic backups, and instructions for restoring one. */
export function BackupPlanPanel() {
  const { api } = useApp();
  const [isEditing, setEditing] = useState(false);
  const { data: plan, error, refetch } = useQuery(call(api, 'GET core/sys/backup/schedule'));
  if (error !== null && plan === undefined) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles.plan}>
      <Card>
        <CardHead title="定时备份">
          <Can permission="backup:update">
            <Button size="small" disabled={plan === undefined} onClick={() => setEditing(true)}>
              修改
            </Button>
          </Can>
        </CardHead>
        {plan === undefined ? null : <PlanFacts plan={plan} />}
      </Card>
      <Card>
        <CardHead title="怎样恢复" />
        <HowTo folder={plan?.folder ?? ''} hasCopies={(plan?.copiesTo ?? null) !== null} />
      </Card>
      {plan === undefined ? null : (
        <PlanForm plan={plan} open={isEditing} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

function PlanFacts({ plan }: { plan: BackupPlan }) {
  return (
    <>
      <Facts
        facts={[
          ['时间', plan.on ? `每天 ${clock(plan.hour)}（北京时间）` : '已关闭'],
          plan.next === null ? null : ['下一次', formatDateTime(plan.next)],
          ['保留', retentionText(plan)],
          ['放在', <code key="folder">{plan.folder}</code>],
          ['剩余空间', formatBytes(plan.freeBytes)],
          plan.copiesTo === null ? null : ['复制到', <code key="copies">{plan.copiesTo}</code>],
          plan.copiesTo === null
            ? null
            : ['S3 保留', retentionText({ daily: plan.copyDaily, weekly: plan.copyWeekly })],
        ]}
      />
      {plan.on || !plan.isManaged ? null : (
        <Alert type="warning" showIcon title="定时备份已关闭，请自行安排备份" className={styles.alert} />
      )}
    </>
  );
}

function HowTo({ folder, hasCopies }: { folder: string; hasCopies: boolean }) {
  return (
    <div className={styles.howTo}>
      <p>恢复在服务器上用命令进行，这里不提供。先停止墨栈，再在程序目录运行：</p>
      <pre>
        <code>npm run restore -- {folder}/备份文件名</code>
      </pre>
      {hasCopies ? (
        <p>
          备份文件不在这台机器上时，<code>npm run restore -- --s3</code> 列出 S3
          里的，后面再写上文件名就恢复那一份。
        </p>
      ) : null}
      <p>
        数据库须是空的；要替换现有的网站，加上 <code>--replace</code>
        。备份会先整份校验，有任何损坏都不会动现有数据。
      </p>
      <p>
        备份里有全站内容、私信和密码的摘要，请像密码一样保管{hasCopies ? '' : '，并定期拷贝一份到别的机器'}。
      </p>
      <p>
        两步验证等机密在备份里是加密的，解密用的密钥不在其中：请另外保存数据目录里的 <code>secret.key</code>
        （或 <code>SECRET_KEY</code>），恢复到别的机器时要用到它。
      </p>
    </div>
  );
}

const copyFields = [
  {
    name: 'copyDaily',
    kind: 'number',
    label: 'S3 保留每日备份',
    help: '只清理定时做的',
    required: true,
    min: 1,
    max: 366,
    suffix: '份',
  },
  {
    name: 'copyWeekly',
    kind: 'number',
    label: 'S3 保留每周备份',
    required: true,
    min: 0,
    max: 520,
    suffix: '份',
  },
] as const;

interface PlanFormProps {
  plan: BackupPlan;
  open: boolean;
  onClose: () => void;
}

function PlanForm({ plan, open, onClose }: PlanFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  const { on, hour, daily, weekly, copyDaily, copyWeekly } = plan;
  const hasCopies = plan.copiesTo !== null;
  return (
    <FormModal<BackupSchedule>
      title="修改定时备份"
      open={open}
      onClose={onClose}
      action="保存"
      values={{ on, hour, daily, weekly, copyDaily, copyWeekly }}
      fields={[
        { name: 'on', kind: 'switch', label: '每天自动备份' },
        {
          name: 'hour',
          kind: 'number',
          label: '几点',
          help: '北京时间，0 到 23',
          required: true,
          min: 0,
          max: 23,
          suffix: '点',
        },
        {
          name: 'daily',
          kind: 'number',
          label: '保留每日备份',
          help: '只清理定时做的，手动和命令行做的一直保留',
          required: true,
          min: 1,
          max: 90,
          suffix: '份',
        },
        {
          name: 'weekly',
          kind: 'number',
          label: '保留每周备份',
          required: true,
          min: 0,
          max: 52,
          suffix: '份',
        },
        ...(hasCopies ? copyFields : []),
      ]}
      submit={async (values) => {
        await api('PUT core/sys/backup/schedule', values);
        message.success('已保存定时备份');
      }}
    />
  );
}
