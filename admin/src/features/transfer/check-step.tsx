import type { ImportCheck, ImportMapping } from '@mozhan/contract/import-checks.ts';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Flex, Skeleton } from 'antd';
import { useRef, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { errorMessage } from '#admin/lib/error-message.ts';
import { call, useAction, useRefresh } from '#admin/lib/queries.ts';
import { redirectIfSignedOut } from '#admin/lib/session.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { Card, LoadError } from '#admin/ui/screen.tsx';
import { CheckSummary } from './check-summary.tsx';
import { MappingForm } from './mapping-form.tsx';

/** Returns what is missing, or undefined. */
function findMissing({ authors, allTo, categories, membersAs, paidAs, price }: ImportMapping) {
  const unnamed = categories.find(({ to, newName }) => to === 'new' && newName?.trim() === '');
  if (unnamed !== undefined) return `请填写分类「${unnamed.name}」的新名称`;
  const nobody = authors.find(({ to, userId }) => to === 'user' && userId === undefined);
  if (allTo === null && nobody !== undefined) return `请给作者「${nobody.account}」选择对应的人`;
  return (membersAs === 'buy' || paidAs === 'buy') && price === 0 ? '请填写每篇的价格' : undefined;
}

function Mapping({ check }: { check: ImportCheck }) {
  const { api, basePath } = useApp();
  const confirm = useConfirm();
  const act = useAction();
  const refresh = useRefresh();
  const mayStart = useCan()('transfer:create');
  const [mapping, setMapping] = useState(check.mapping);
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState('');
  const alert = useRef<HTMLDivElement>(null);
  const { id } = check.transfer;

  function show(text: string): void {
    setProblem(text);
    // After the message is displayed.
    requestAnimationFrame(() => alert.current?.scrollIntoView({ block: 'center' }));
  }

  async function start(): Promise<void> {
    const missing = findMissing(mapping);
    if (missing !== undefined) return show(missing);
    setIsSending(true);
    setProblem('');
    try {
      await api('POST core/sys/transfer/start', { id, ...mapping });
      await refresh();
    } catch (error) {
      if (!redirectIfSignedOut(error, basePath)) show(errorMessage(error));
    } finally {
      setIsSending(false);
    }
  }

  async function discard(): Promise<void> {
    const question = { title: '放弃这次导入？', text: '上传的文件会删除。', action: '放弃', danger: true };
    if (await confirm(question))
      await act((client) => client('POST core/sys/transfer/cancel', { id }), '已放弃');
  }

  return (
    <>
      <CheckSummary check={check} />
      {check.isRepeated ? (
        <Alert type="info" showIcon title="这个网站以前导入过，下面是上一次用的对应。" />
      ) : null}
      <MappingForm
        check={check}
        mapping={mapping}
        onChange={(change) => setMapping((before) => ({ ...before, ...change }))}
      />
      <div ref={alert} role="alert">
        {problem === '' ? null : <Alert type="error" showIcon title={problem} role="presentation" />}
      </div>
      {mayStart ? (
        <Flex gap={8} wrap>
          <Button type="primary" size="large" loading={isSending} onClick={() => void start()}>
            开始导入
          </Button>
          <Button size="large" disabled={isSending} onClick={() => void discard()}>
            放弃
          </Button>
        </Flex>
      ) : null}
    </>
  );
}

/** The result of the check, and the mapping that the operator chooses. */
export function CheckStep({ id }: { id: string }) {
  const { api } = useApp();
  // The form keeps its initial values, so they must not come from an old cache entry.
  const { data, error, refetch } = useQuery({
    ...call(api, 'GET core/sys/transfer/check', { id }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data !== undefined) return <Mapping check={data} />;
  return (
    <Card>
      {error === null ? <Skeleton active /> : <LoadError error={error} onRetry={() => void refetch()} />}
    </Card>
  );
}
