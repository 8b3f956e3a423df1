import { PlusOutlined } from '@ant-design/icons';
import { FLAG, toFlag } from '@mozhan/contract/enums.ts';
import type { NavEntry, Navigation } from '@mozhan/contract/navigation.ts';
import { Button, Switch, Tag } from 'antd';
import { useState } from 'react';
import { MoveButtons } from '#admin/ui/move-buttons.tsx';
import { type EditedEntry, hiddenReason, kindNames, move, targetName, toEdited } from './entries.ts';
import { EntryForm } from './entry-form.tsx';
import styles from './navigation.module.css';

interface EntryListProps {
  label: string;
  entries: EditedEntry[];
  targets: Navigation;
  mayUpdate: boolean;
  isFull: boolean;
  onChange: (entries: EditedEntry[]) => void;
}

/** The entries of the header or of one group of the footer, in order. */
export function EntryList({ label, entries, targets, mayUpdate, isFull, onChange }: EntryListProps) {
  const [edited, setEdited] = useState<EditedEntry | 'new'>();
  const replace = (key: number, entry: NavEntry) =>
    onChange(entries.map((each) => (each.key === key ? { key, entry } : each)));
  return (
    <>
      <ul className={styles.entries} aria-label={label}>
        {entries.map(({ key, entry }, at) => {
          const target = targetName(entry, targets);
          const name = entry.label || target;
          const reason = hiddenReason(entry, targets);
          return (
            <li key={key} className={styles.entry}>
              <span className={styles.name}>
                <strong>{name}</strong>
                <span className={styles.target}>
                  {kindNames[entry.kind]}
                  {name === target ? '' : `：${target}`}
                </span>
                {reason === undefined ? null : <Tag color="warning">{reason}</Tag>}
              </span>
              {mayUpdate ? (
                <span className={styles.tools}>
                  <MoveButtons
                    name={name}
                    isFirst={at === 0}
                    isLast={at === entries.length - 1}
                    onMove={(by) => onChange(move(entries, at, by))}
                  />
                  <Switch
                    size="small"
                    aria-label={`启用：${name}`}
                    checked={entry.enabled === FLAG.on}
                    onChange={(isOn) => replace(key, { ...entry, enabled: toFlag(isOn) })}
                  />
                  <Button
                    type="link"
                    size="small"
                    aria-label={`编辑：${name}`}
                    onClick={() => setEdited({ key, entry })}
                  >
                    编辑
                  </Button>
                  <Button
                    type="link"
                    size="small"
                    danger
                    aria-label={`移除：${name}`}
                    onClick={() => onChange(entries.filter((each) => each.key !== key))}
                  >
                    移除
                  </Button>
                </span>
              ) : null}
            </li>
          );
        })}
        {entries.length === 0 ? <li className={styles.empty}>还没有内容</li> : null}
      </ul>
      {mayUpdate ? (
        <Button
          icon={<PlusOutlined aria-hidden />}
          disabled={isFull}
          aria-label={`添加到${label}`}
          onClick={() => setEdited('new')}
        >
          添加
        </Button>
      ) : null}
      <EntryForm
        subject={edited === 'new' ? 'new' : edited?.entry}
        targets={targets}
        onClose={() => setEdited(undefined)}
        onSubmit={(entry) =>
          edited === undefined || edited === 'new'
            ? onChange([...entries, toEdited(entry)])
            : replace(edited.key, entry)
        }
      />
    </>
  );
}
