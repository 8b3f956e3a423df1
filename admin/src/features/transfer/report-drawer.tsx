import { FLAG } from '@mozhan/contract/enums.ts';
import type { Transfer, TransferItem } from '@mozhan/contract/transfer.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Checkbox, Flex, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { formatDateTime } from '#admin/lib/format.ts';
import { callPage } from '#admin/lib/paged.ts';
import { call } from '#admin/lib/queries.ts';
import { POLL_MS } from '#admin/lib/use-polling.ts';
import { DetailDrawer } from '#admin/ui/detail-drawer.tsx';
import { ExportButton } from '#admin/ui/export-button.tsx';
import { Facts } from '#admin/ui/facts.tsx';
import { EmptyState, LoadError } from '#admin/ui/screen.tsx';
import { SmallPagination } from '#admin/ui/small-pagination.tsx';
import { TruncatedLink } from '#admin/ui/truncated-text.tsx';
import type { Column } from '#admin/ui/use-columns.ts';
import {
  hasWaitingPictures,
  isUnfinished,
  itemKindOptions,
  kindText,
  nameOf,
  OutcomeTag,
  outcomeOptions,
  outcomeText,
  picturesText,
  resultFacts,
  StatusTag,
} from './labels.tsx';
import { RemotePictures } from './remote-pictures.tsx';
import styles from './transfer.module.css';

const PAGE_SIZE = 20;

const columns: Column<TransferItem>[] = [
  { key: 'kind', title: '类型', text: ({ kind }) => kindText(kind) },
  { key: 'title', title: '名称', text: ({ title }) => title },
  { key: 'outcome', title: '结果', text: ({ outcome }) => outcomeText(outcome) },
  { key: 'note', title: '说明', text: ({ note }) => note },
];

function Items({ transfer }: { transfer: Transfer }) {
  const { id, status } = transfer;
  const { api } = useApp();
  const [filter, setFilter] = useState<{ kind?: string; outcome?: string; noted?: 1 }>({});
  const [page, setPage] = useState(1);
  const input = { id, ...filter };
  const { queryKey, queryFn } = callPage(api, 'GET core/sys/transfer/item', {
    ...input,
    page,
    pageSize: PAGE_SIZE,
  });
  const { data, error, refetch } = useQuery({
    // The outcomes of items change with the status of the run.
    queryKey: [...queryKey, status],
    queryFn,
    placeholderData: keepPreviousData,
  });
  const changeFilter = (to: typeof filter) => {
    setFilter(to);
    setPage(1);
  };
  const { kind, outcome, noted } = filter;
  const isFiltered = kind !== undefined || outcome !== undefined || noted !== undefined;
  if (data?.total === 0 && !isFiltered)
    return <EmptyState title={isUnfinished(transfer) ? '还没有导入什么' : '没有导入任何内容'} />;
  return (
    <>
      <div className={styles.filters}>
        <Select
          placeholder="类型"
          aria-label="类型"
          allowClear
          value={kind}
          options={itemKindOptions}
          onChange={(chosen?: string) =>
            changeFilter({
              ...(chosen && { kind: chosen }),
              ...(outcome && { outcome }),
              ...(noted && { noted }),
            })
          }
        />
        <Select
          placeholder="结果"
          aria-label="结果"
          allowClear
          value={outcome}
          options={outcomeOptions}
          onChange={(chosen?: string) =>
            changeFilter({
              ...(kind && { kind }),
              ...(chosen && { outcome: chosen }),
              ...(noted && { noted }),
            })
          }
        />
        <Checkbox
          checked={noted === FLAG.on}
          onChange={({ target }) =>
            changeFilter({
              ...(kind && { kind }),
              ...(outcome && { outcome }),
              ...(target.checked && { noted: FLAG.on }),
            })
          }
        >
          只看有说明的
        </Checkbox>
        <ExportButton title="导入报告" route="GET core/sys/transfer/item" input={input} columns={columns} />
      </div>
      {data === undefined && error === null ? <Skeleton active title={false} /> : null}
      {data === undefined && error !== null ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : null}
      {data?.list.length === 0 ? <EmptyState title="没有符合条件的内容" /> : null}
      <ul className={styles.items}>
        {data?.list.map((item) => (
          <li key={item.id}>
            <div>
              <OutcomeTag outcome={item.outcome} />
              <span>{kindText(item.kind)}</span>
              <TruncatedLink
                text={item.title === kindText(item.kind) ? '' : item.title}
                to={
                  item.essayId !== null && item.outcome !== 'removed'
                    ? `/essay/detail/${item.essayId}.html`
                    : undefined
                }
              />
            </div>
            {item.note === '' ? null : <p>{item.note}</p>}
          </li>
        ))}
      </ul>
      <SmallPagination page={page} pageSize={PAGE_SIZE} total={data?.total ?? 0} onChange={setPage} />
    </>
  );
}

/** Refetches while the run is unfinished. */
export function Report({ initial }: { initial: Transfer }) {
  const { api } = useApp();
  const { data } = useQuery({
    ...call(api, 'GET core/sys/transfer/', { id: initial.id }),
    refetchInterval: ({ state }) =>
      state.data?.list.some((each) => isUnfinished(each) || hasWaitingPictures(each)) ? POLL_MS : false,
  });
  const transfer = data?.list[0] ?? initial;
  const { fileName, createdAt, endedAt, pictures } = transfer;
  return (
    <Flex vertical gap={16}>
      <Facts
        facts={[
          ['状态', <StatusTag key="status" transfer={transfer} />],
          ['文件', fileName],
          ...resultFacts(transfer),
          pictures.total === 0 ? null : ['别处的图片与附件', picturesText(transfer)],
          ['开始时间', formatDateTime(createdAt)],
          endedAt === null ? null : ['结束时间', formatDateTime(endedAt)],
        ]}
      />
      {pictures.failed === 0 ? null : <RemotePictures transfer={transfer} />}
      <Items transfer={transfer} />
    </Flex>
  );
}

interface ReportDrawerProps {
  subject: Transfer | undefined;
  onClose: () => void;
}

export const ReportDrawer = (props: ReportDrawerProps) => (
  <DetailDrawer {...props} title={nameOf} width={640}>
    {(transfer) => <Report initial={transfer} />}
  </DetailDrawer>
);
