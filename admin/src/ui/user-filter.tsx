import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import { useCan } from '#admin/lib/viewer.ts';
import styles from './filters.module.css';

interface UserFilterProps {
  /** 操作人, 作者 … */
  label: string;
  /** These may come from a form. */
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
  /** As wide as what it is in. */
  block?: true;
}

const MOST = 10;

interface Found {
  id: string;
  displayName: string;
  /** Only for those who may see it. */
  account?: string;
}

/** Anyone, found by how the name begins; whoever may list users finds those that are disabled too. */
export function UserFilter({ label, value, onChange, block }: UserFilterProps) {
  const { api } = useApp();
  const maySeeAll = useCan()('user:list');
  const [text, setText] = useState('');
  const keyword = useDebounced(text.trim(), 300);
  const found = useQuery({
    ...call(api, maySeeAll ? 'GET core/sys/user/' : 'GET core/user/', { keyword, pageSize: MOST }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  }).data;
  // The one in the address, whose name is not known after a reload.
  const chosen = useQuery({
    ...call(api, maySeeAll ? 'GET core/sys/user/detail' : 'GET core/user/public', { id: value ?? '' }),
    enabled: value !== undefined,
  }).data;
  const people: Found[] = [
    ...(chosen === undefined ? [] : [chosen]),
    ...(found !== undefined && 'list' in found && keyword !== '' ? found.list : []),
  ];
  // Two may have the same name.
  const options = [...new Map(people.map((person) => [person.id, person])).values()].map(
    ({ id, displayName, account }) => ({
      value: id,
      label: account === undefined ? displayName : `${displayName}（${account}）`,
    }),
  );
  const hint = maySeeAll ? '输入昵称、账号或邮箱的开头' : '输入昵称的开头';
  return (
    <Select
      className={block ? styles.block : styles.user}
      placeholder={label}
      aria-label={label}
      allowClear
      value={value}
      onChange={onChange}
      options={options}
      showSearch={{ filterOption: false, onSearch: setText }}
      notFoundContent={keyword === '' ? hint : '没有找到'}
    />
  );
}
