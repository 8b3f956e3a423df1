import { ArrowLeftOutlined } from '@ant-design/icons';
import type { Transfer } from '@mozhan/contract/transfer.ts';
import { useQuery } from '@tanstack/react-query';
import { Button, Flex, Progress, Skeleton, Steps } from 'antd';
import type { ReactNode } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call, useAction } from '#admin/lib/queries.ts';
import { POLL_MS } from '#admin/lib/use-polling.ts';
import { useIsWide } from '#admin/lib/use-wide.ts';
import { Can } from '#admin/ui/can.tsx';
import { useConfirm } from '#admin/ui/confirm.ts';
import { Card, EmptyState, LoadError, Screen } from '#admin/ui/screen.tsx';
import { CheckStep } from './check-step.tsx';
import styles from './import.module.css';
import { canUndo, hasWaitingPictures, isUnfinished, UNDO_QUESTION } from './labels.tsx';
import { Report } from './report-drawer.tsx';
import { UploadStep } from './upload-step.tsx';
import { UsedMapping } from './used-mapping.tsx';

const steps = ['上传', '检查与对应', '导入', '报告'];

/** A failed check has counted nothing. */
const isFailedCheck = ({ status, total }: Transfer): boolean => status === 'failed' && total === 0;

function stepOf(transfer: Transfer | undefined): number {
  if (transfer === undefined) return 0;
  const { status } = transfer;
  if (status === 'checking' || status === 'ready' || isFailedCheck(transfer)) return 1;
  return status === 'waiting' || status === 'running' ? 2 : 3;
}

interface FrameProps {
  step: number;
  isFailed?: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

function Frame({ step, isFailed = false, actions, children }: FrameProps) {
  const { router } = useApp();
  const isWide = useIsWide();
  return (
    <Screen
      title="导入"
      intro="先检查文件里有什么，选好分类与作者的对应，再开始导入"
      actions={
        <>
          <Button icon={<ArrowLeftOutlined aria-hidden />} onClick={() => void router.navigate('/transfer')}>
            全部记录
          </Button>
          {actions}
        </>
      }
    >
      <Card>
        {isWide ? (
          <Steps
            current={step}
            status={isFailed ? 'error' : step === 3 ? 'finish' : 'process'}
            items={steps.map((title) => ({ title }))}
          />
        ) : (
          <p className={styles.step}>
            第 {step + 1} 步，共 {steps.length} 步：<strong>{steps[step]}</strong>
          </p>
        )}
      </Card>
      {children}
    </Screen>
  );
}

function ProgressCard({ transfer }: { transfer: Transfer }) {
  const confirm = useConfirm();
  const act = useAction();
  const { id, status, total, done, fileName } = transfer;
  const isCheck = status === 'checking';
  const count = done.toLocaleString('zh-CN');

  async function stop(): Promise<void> {
    const text = isCheck ? '上传的文件会删除。' : '已经导入的会留下，可以再撤销。';
    const title = isCheck ? '停止检查？' : '停止导入？';
    if (await confirm({ title, text, action: '停止', danger: true }))
      await act((api) => api('POST core/sys/transfer/cancel', { id }), '已停止');
  }

  return (
    <Card>
      <section aria-label="进度" className={styles.progress}>
        <h2>{isCheck ? `正在检查 ${fileName}` : `正在导入 ${fileName}`}</h2>
        <Progress
          percent={isCheck || total === 0 ? 100 : Math.min(99, Math.floor((done / total) * 100))}
          showInfo={!isCheck && total > 0}
          status="active"
          aria-label={isCheck ? '检查进度' : '导入进度'}
        />
        <p role="status">
          {isCheck
            ? `已读 ${count} 项`
            : total === 0
              ? '正在准备'
              : `${count} / ${total.toLocaleString('zh-CN')}`}
        </p>
        <p className={styles.hint}>可以离开这个页面，稍后从记录里回来。</p>
        <Can permission="transfer:create">
          <Button onClick={() => void stop()}>停止</Button>
        </Can>
      </section>
    </Card>
  );
}

function ReportStep({ transfer }: { transfer: Transfer }) {
  return (
    <>
      <Card>
        <section aria-label="导入报告">
          <Report initial={transfer} />
        </section>
      </Card>
      <UsedMapping id={transfer.id} />
    </>
  );
}

function UndoButton({ transfer: { id } }: { transfer: Transfer }) {
  const confirm = useConfirm();
  const act = useAction();
  return (
    <Can permission="transfer:remove">
      <Button
        danger
        onClick={() =>
          void confirm(UNDO_QUESTION).then(
            (isSure) => isSure && act((api) => api('POST core/sys/transfer/undo', { id }), '已开始撤销'),
          )
        }
      >
        撤销
      </Button>
    </Can>
  );
}

function AgainButton() {
  const { router } = useApp();
  return (
    <Can permission="transfer:create">
      <Button type="primary" onClick={() => void router.navigate('/transfer?import=new')}>
        重新上传
      </Button>
    </Can>
  );
}

function RunScreen({ id }: { id: string }) {
  const { api } = useApp();
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/transfer/', { id }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((each) => isUnfinished(each) || hasWaitingPictures(each)) ? POLL_MS : false,
  });
  const transfer = data?.list[0];
  const step = data === undefined ? 1 : stepOf(transfer);
  if (data === undefined || transfer === undefined)
    return (
      <Frame step={step}>
        <Card>
          {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
          {error === null && data === undefined ? <Skeleton active /> : null}
          {data === undefined ? null : <EmptyState title="没有这次导入，记录可能已经删除" />}
        </Card>
      </Frame>
    );
  if (transfer.status === 'ready')
    return (
      <Frame step={step}>
        <CheckStep key={id} id={id} />
      </Frame>
    );
  return (
    <Frame
      step={step}
      isFailed={transfer.status === 'failed'}
      actions={
        <>
          {canUndo(transfer) ? <UndoButton transfer={transfer} /> : null}
          {isFailedCheck(transfer) ? <AgainButton /> : null}
        </>
      }
    >
      {step < 3 && !isFailedCheck(transfer) ? (
        <ProgressCard transfer={transfer} />
      ) : (
        <ReportStep transfer={transfer} />
      )}
    </Frame>
  );
}

/** Upload, check with mapping, run and report of one import; `id` is `new` before the upload. */
export const ImportScreen = ({ id }: { id: string }) =>
  id === 'new' ? (
    <Frame step={0}>
      <Flex vertical>
        <UploadStep />
      </Flex>
    </Frame>
  ) : (
    <RunScreen key={id} id={id} />
  );
