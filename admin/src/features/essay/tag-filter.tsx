import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import styles from './tag-filter.module.css';

const MAX_TAGS = 20;

/** Tags of on-shelf essays, found by prefix or pinyin. */
export function useTagOptions(text: string): { value: string; label: string }[] {
  const { api } = useApp();
  const keyword = useDebounced(text.trim(), 300);
  const { data } = useQuery({
    ...call(api, 'GET core/essay/tag', { limit: MAX_TAGS, ...(keyword !== '' && { keyword }) }),
    placeholderData: keepPreviousData,
  });
  return (data ?? []).map(({ name, count }) => ({ value: name, label: `${name}（${count}）` }));
}

interface TagFilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function TagFilter({ value, onChange }: TagFilterProps) {
  const [text, setText] = useState('');
  return (
    <Select
      className={styles.tagFilter}
      placeholder="标签"
      aria-label="标签"
      allowClear
      value={value}
      onChange={onChange}
      options={useTagOptions(text)}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent="没有这样的标签"
    />
  );
}
