import { DownloadOutlined } from '@ant-design/icons';
import type { Output } from '@mozhan/contract/client.ts';
import type { TrafficDimension, TrafficValue } from '@mozhan/contract/traffic.ts';
import { Segmented } from 'antd';
import { useState } from 'react';
import { CardHead } from '#admin/ui/card-head.tsx';
import { saveAsCsv } from '#admin/ui/export-button.tsx';
import { IconButton } from '#admin/ui/icon-button.tsx';
import { Card, EmptyState } from '#admin/ui/screen.tsx';
import styles from './traffic.module.css';

type Values = Output<'GET core/sys/traffic/'>['values'];

interface Dimension {
  value: TrafficDimension;
  label: string;
}

const cards: readonly { title: string; dimensions: readonly [Dimension, ...Dimension[]] }[] = [
  {
    title: '来源',
    dimensions: [
      { value: 'source', label: '全部' },
      { value: 'searchEngine', label: '搜索引擎' },
    ],
  },
  { title: '页面', dimensions: [{ value: 'page', label: '页面' }] },
  { title: '地区', dimensions: [{ value: 'region', label: '地区' }] },
  {
    title: '设备',
    dimensions: [
      { value: 'device', label: '设备' },
      { value: 'browser', label: '浏览器' },
      { value: 'system', label: '系统' },
    ],
  },
  {
    title: 'UTM',
    dimensions: [
      { value: 'utmSource', label: '来源' },
      { value: 'utmMedium', label: '媒介' },
      { value: 'utmCampaign', label: '活动' },
    ],
  },
];

const countLabelOf = (dimension: TrafficDimension): string => (dimension === 'page' ? '浏览量' : '访问次数');

function ValueTable({
  name,
  countLabel,
  values,
}: {
  name: string;
  countLabel: string;
  values: TrafficValue[];
}) {
  if (values.length === 0) return <EmptyState title="这段时间没有访问" />;
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const max = Math.max(...values.map(({ count }) => count));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={`${name}，列表`}>
      <table className={styles.values}>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{countLabel}</th>
            <th scope="col">占比</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ value, count }) => (
            <tr key={value}>
              <th scope="row">
                <span title={value}>{value}</span>
                <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(count / max) * 100} height="1" />
                </svg>
              </th>
              <td>{count.toLocaleString('zh-CN')}</td>
              <td>{((count / total) * 100).toFixed(1)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ValueCard({ title, dimensions, values }: (typeof cards)[number] & { values: Values }) {
  const [selected, setSelected] = useState(dimensions[0].value);
  const label = dimensions.find(({ value }) => value === selected)?.label ?? '';
  const name = label === '全部' || label === title ? title : label;
  const fullName = title === 'UTM' ? `UTM ${name}` : name;
  const countLabel = countLabelOf(selected);
  const columns = [
    { key: 'value', title: fullName, text: (row: TrafficValue) => row.value },
    { key: 'count', title: countLabel, text: (row: TrafficValue) => String(row.count) },
  ];
  return (
    <Card>
      <CardHead title={title}>
        <div className={styles.tools}>
          {dimensions.length > 1 ? (
            <Segmented
              aria-label={`${title}：按什么分`}
              size="small"
              options={[...dimensions]}
              value={selected}
              onChange={setSelected}
            />
          ) : null}
          <IconButton
            label={`导出 CSV：${fullName}`}
            tip="导出 CSV"
            size="small"
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => saveAsCsv(`访问统计-${fullName}`, columns, values[selected])}
          />
        </div>
      </CardHead>
      <ValueTable name={fullName} countLabel={countLabel} values={values[selected]} />
    </Card>
  );
}

export const TrafficValues = ({ values }: { values: Values }) => (
  <div className={styles.cards}>
    {cards.map((card) => (
      <ValueCard key={card.title} {...card} values={values} />
    ))}
  </div>
);
