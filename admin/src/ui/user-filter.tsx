import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useDebounced } from '#admin/lib/use-debounced.ts';
import { useCan } from '#admin/lib/viewer.ts';
import styles from './filters.module.css';

interface UserFilterProps {
  /** Chinese noun: 操作人, 作者 … */
  label: string;
  /** May be set by a form. */
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
  block?: true;
}

const MAX_RESULTS = 10;

interface FoundUser {
  id: string;
  displayName: string;
  /** Only with the permission to list users. */
  account?: string;
}

/** Selects a user by name prefix; with the permission to list users, also disabled ones. */
export function UserFilter({ label, value, onChange, block }: UserFilterProps) {
  const { api } = useApp();
  const maySeeAll = useCan()('user:list');
  const [text, setText] = useState('');
  const keyword = useDebounced(text.trim(), 300);
  const found = useQuery({
    ...call(api, maySeeAll ? 'GET core/sys/user/' : 'GET core/user/', { keyword, pageSize: MAX_RESULTS }),
    enabled: keyword !== '',
    placeholderData: keepPreviousData,
  }).data;
  // Loads the name of the user in the URL after a reload.
  const selectedUser = useQuery({
    ...call(api, maySeeAll ? 'GET core/sys/user/detail' : 'GET core/user/public', { id: value ?? '' }),
    enabled: value !== undefined,
  }).data;
  const users: FoundUser[] = [
    ...(selectedUser === undefined ? [] : [selectedUser]),
    ...(found !== undefined && 'list' in found && keyword !== '' ? found.list : []),
  ];
  // Names are not unique, so users are deduplicated by id.
  const options = [...new Map(users.map((user) => [user.id, user])).values()].map(
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
