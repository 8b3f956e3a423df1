import { PlusOutlined } from '@ant-design/icons';
import { asCallError } from '@mozhan/client/errors.ts';
import type { Input as CallInput, Client } from '@mozhan/contract/client.ts';
import type { Navigation } from '@mozhan/contract/navigation.ts';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Input, Tag } from 'antd';
import { type ReactNode, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { call } from '#admin/lib/queries.ts';
import { useShowError } from '#admin/lib/show-error.ts';
import { useUnsavedGuard } from '#admin/lib/unsaved.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { CardHead } from '#admin/ui/card-head.tsx';
import { DISCARD_CHANGES, useConfirm } from '#admin/ui/confirm.ts';
import { MoveButtons } from '#admin/ui/move-buttons.tsx';
import { Card, Screen } from '#admin/ui/screen.tsx';
import {
  type EditedEntry,
  type EditedGroup,
  MAX_FOOTER,
  MAX_GROUPS,
  MAX_HEADER,
  move,
  newKey,
  toEdited,
  toEntries,
} from './entries.ts';
import { EntryList } from './entry-list.tsx';
import styles from './navigation.module.css';

const toGroups = (groups: readonly EditedGroup[]): Navigation['footer'] =>
  groups.map(({ title, entries }) => ({ title, entries: toEntries(entries) }));

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Changes = Omit<CallInput<'PUT core/sys/nav/'>, 'version'>;

/** Saves, and offers to reload when somebody else has saved meanwhile. */
function useSave({ version }: Navigation) {
  const { api } = useApp();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const showError = useShowError();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const { queryKey } = call(api, 'GET core/sys/nav/');
  const send = (client: Client, changes: Changes) => client('PUT core/sys/nav/', { version, ...changes });

  async function save(changes: Changes): Promise<void> {
    setBusy(true);
    try {
      const saved = await send(api, changes);
      message.success('已保存，读者看到的页面立即更新');
      queryClient.setQueryData(queryKey, saved);
    } catch (error) {
      const isStale = asCallError(error)?.code === 'STALE_VERSION';
      if (!isStale) showError(error);
      else if (
        await confirm({
          title: '导航已在别处更新',
          text: '载入别处的改动，这里没有保存的会丢失。',
          action: '载入',
          danger: true,
        })
      )
        await queryClient.refetchQueries({ queryKey });
    } finally {
      setBusy(false);
    }
  }
  return { busy, save };
}

interface PartProps {
  title: string;
  isEdited: boolean;
  count: string;
  onReset: (() => void) | undefined;
  children: ReactNode;
}

const Part = ({ title, isEdited, count, onReset, children }: PartProps) => (
  <Card>
    <section aria-label={title}>
      <CardHead title={title}>
        <span className={styles.count}>{count}</span>
        <Tag>{isEdited ? '已自定义' : '默认'}</Tag>
        {onReset === undefined ? null : (
          <Button type="link" size="small" aria-label={`恢复默认：${title}`} onClick={onReset}>
            恢复默认
          </Button>
        )}
      </CardHead>
      {children}
    </section>
  </Card>
);

export function NavigationEditor({ stored }: { stored: Navigation }) {
  const confirm = useConfirm();
  const mayUpdate = useCan()('nav:update');
  const { busy, save } = useSave(stored);
  const [header, setHeader] = useState<EditedEntry[]>(() => stored.header.map(toEdited));
  const [footer, setFooter] = useState<EditedGroup[]>(() =>
    stored.footer.map(({ title, entries }) => ({ key: newKey(), title, entries: entries.map(toEdited) })),
  );
  const isHeaderDirty = !isSame(toEntries(header), stored.header);
  const isFooterDirty = !isSame(toGroups(footer), stored.footer);
  const isDirty = isHeaderDirty || isFooterDirty;
  useUnsavedGuard(
    () => isDirty,
    () => confirm(DISCARD_CHANGES),
  );
  const footerCount = footer.reduce((sum, { entries }) => sum + entries.length, 0);
  const changeGroup = (key: number, change: Partial<EditedGroup>) =>
    setFooter(footer.map((group) => (group.key === key ? { ...group, ...change } : group)));

  async function reset(title: string, changes: Changes): Promise<void> {
    const text = isDirty ? '这里没有保存的改动也会丢失。' : undefined;
    if (await confirm({ title: `${title}恢复默认？`, text, action: '恢复默认', danger: true }))
      await save(changes);
  }

  return (
    <Screen
      title="导航"
      intro="网站顶部与页脚的链接；撤下的页面、停用的分类自动不显示。改过顶部导航之后，新的分类要自己加进来"
      actions={
        mayUpdate ? (
          <Button
            type="primary"
            disabled={!isDirty}
            loading={busy}
            onClick={() =>
              void save({
                ...(isHeaderDirty && { header: toEntries(header) }),
                ...(isFooterDirty && { footer: toGroups(footer) }),
              })
            }
          >
            保存
          </Button>
        ) : null
      }
    >
      <Part
        title="顶部导航"
        isEdited={stored.headerEdited}
        count={`${header.length} / ${MAX_HEADER}`}
        onReset={
          mayUpdate && stored.headerEdited ? () => void reset('顶部导航', { header: null }) : undefined
        }
      >
        <EntryList
          label="顶部导航"
          entries={header}
          targets={stored}
          mayUpdate={mayUpdate}
          isFull={header.length >= MAX_HEADER}
          onChange={setHeader}
        />
      </Part>
      <Part
        title="页脚导航"
        isEdited={stored.footerEdited}
        count={`${footerCount} / ${MAX_FOOTER}`}
        onReset={
          mayUpdate && stored.footerEdited ? () => void reset('页脚导航', { footer: null }) : undefined
        }
      >
        {footer.map(({ key, title, entries }, at) => {
          const name = title || `第 ${at + 1} 组`;
          return (
            <div key={key} className={styles.group}>
              <div className={styles.groupHead}>
                <Input
                  aria-label={`第 ${at + 1} 组的组名`}
                  value={title}
                  maxLength={20}
                  placeholder="组名（可选）"
                  readOnly={!mayUpdate}
                  onChange={(event) => changeGroup(key, { title: event.target.value })}
                />
                {mayUpdate ? (
                  <>
                    <MoveButtons
                      name={name}
                      isFirst={at === 0}
                      isLast={at === footer.length - 1}
                      onMove={(by) => setFooter(move(footer, at, by))}
                    />
                    <Button
                      type="link"
                      size="small"
                      danger
                      aria-label={`移除：${name}`}
                      onClick={() => setFooter(footer.filter((group) => group.key !== key))}
                    >
                      移除
                    </Button>
                  </>
                ) : null}
              </div>
              <EntryList
                label={name}
                entries={entries}
                targets={stored}
                mayUpdate={mayUpdate}
                isFull={footerCount >= MAX_FOOTER}
                onChange={(next) => changeGroup(key, { entries: next })}
              />
            </div>
          );
        })}
        {mayUpdate ? (
          <Button
            icon={<PlusOutlined aria-hidden />}
            disabled={footer.length >= MAX_GROUPS}
            onClick={() => setFooter([...footer, { key: newKey(), title: '', entries: [] }])}
          >
            添加一组
          </Button>
        ) : null}
      </Part>
    </Screen>
  );
}
