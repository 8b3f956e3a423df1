import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import styles from './user-filter.module.css';

interface UserFilterProps {
  /** 操作人, 作者 … */
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** As wide as what it is in. */
  block?: true;
}

/** Anyone, found by name. */
export function UserFilter({ label, value, onChange, block }: UserFilterProps) {
  const { api } = useApp();
  const [text, setText] = useState('');
  const keyword = useDebounced(text.trim(), 300);
  const found = useQuery({
    ...call(api, 'GET core/user/', { keyword, pageSize: 10 }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  }).data;
  // The one in the address, whose name is not known after a reload.
  const chosen = useQuery({
    ...call(api, 'GET core/user/public', { id: value ?? '' }),
    enabled: value !== undefined,
  }).data;
  const people = [
    ...(chosen === undefined ? [] : [chosen]),
    ...(found !== undefined && 'list' in found && keyword !== '' ? found.list : []),
  ];
  const options = [...new Map(people.map((person) => [person.id, person])).values()].map((person) => ({
    value: person.id,
    label: person.displayName,
  }));
  return (
    <Select
      className={block ? styles.block : styles.filter}
      placeholder={label}
      aria-label={label}
      allowClear
      value={value}
      onChange={onChange}
      options={options}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={keyword === '' ? '输入昵称查找' : '没有找到'}
    />
  );
}
