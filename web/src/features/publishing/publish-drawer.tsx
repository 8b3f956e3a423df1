import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Declaration } from '@mozhan/contract/essays.ts';
import { completeAddress, WEB_ADDRESS_NEEDED } from '@mozhan/contract/web-address.ts';
import { useStore } from '@mozhan/editor/store.ts';
import { useState } from 'react';
import type { Desk } from '#web/features/writing/desk.ts';
import { type Draft, fieldLabels } from '#web/features/writing/draft.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useSite } from '#web/lib/queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Choices, Field, SelectField, SwitchField, TextArea } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AttachmentsField } from './attachments-field.tsx';
import { ColumnField } from './column-field.tsx';
import { CoverField } from './cover-field.tsx';
import { PriceField } from './price-field.tsx';
import styles from './publish-drawer.module.css';
import { TagsField } from './tags-field.tsx';

const declarations: { value: Declaration; label: string }[] = [
  { value: 'none', label: '无需声明' },
  { value: 'ai-assisted', label: '使用了 AI 辅助' },
  { value: 'ai-generated', label: '由 AI 生成' },
  { value: 'fiction', label: '虚构内容' },
  { value: 'reprint', label: '转载，注明来源' },
];

const percents = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => ({
  value: String(percent),
  label: `${percent}%`,
}));

/** As the clocks of the site's readers show it, whatever zone this browser is in. */
const toClock = (iso: string | null): string =>
  iso === null ? '' : formatDateTime(iso).slice(0, 16).replace(' ', 'T');
const fromClock = (text: string): string | null =>
  text === '' ? null : new Date(`${text}:00+08:00`).toISOString();

type Errors = Record<string, string>;

function missing({ title, categoryId, content }: Draft): Errors {
  return {
    ...(title.trim() === '' ? { title: '请写一个标题' } : {}),
    ...(categoryId === null ? { categoryId: '请选择分类' } : {}),
    ...(content.trim() === '' ? { content: '正文还是空的' } : {}),
  };
}

interface PublishDrawerProps {
  desk: Desk;
  onOpenChange: (open: boolean) => void;
}

/** Everything about the essay but its text, and the way into its audit. */
export function PublishDrawer({ desk: { writing, pictures }, onOpenChange }: PublishDrawerProps) {
  const api = useApi();
  const { categories } = useSite();
  const draft = useStore(writing.fields);
  const facts = useStore(writing.facts);
  const save = useStore(writing.autosave);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [source, setSource] = useState(draft.source);
  const shown: Errors = { ...(save.at === 'refused' ? save.fields : {}), ...errors };

  function set(changes: Partial<Draft>): void {
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in changes))));
    writing.set(changes);
  }

  async function submit(): Promise<void> {
    const found = missing(writing.read());
    if (draft.declaration === 'reprint' && draft.source === '') found.source = '转载请填写原文地址';
    if ('price' in errors) found.price = errors.price ?? '';
    setErrors(found);
    setProblem('');
    if (Object.keys(found).length > 0) return;
    if (pictures.list.get().length > 0) return setProblem('还有图片没有传完，请稍等，或移除没有传上的');
    setBusy(true);
    try {
      const id = (await writing.autosave.flush()) ? writing.autosave.saved()?.id : undefined;
      if (id === undefined) return setProblem('还没有保存到服务器，请稍后再提交');
      const revision = facts.status === ESSAY_STATUS.onShelf ? (true as const) : undefined;
      if (revision) {
        await writing.refresh();
        if (writing.facts.get().revision === null) {
          toast('已保存，没有需要审核的修改');
          return onOpenChange(false);
        }
      }
      await api('PUT core/essay/status', { id, status: ESSAY_STATUS.waiting, revision });
      toast('已提交审核');
      onOpenChange(false);
      await writing.refresh();
    } catch (error) {
      const { fields = {} } = asCallError(error) ?? {};
      setErrors(fields);
      setProblem(Object.keys(fields).length === 0 ? messageOf(error) : '');
    } finally {
      setBusy(false);
    }
  }

  async function keepDraft(): Promise<void> {
    if (await writing.autosave.flush()) {
      toast('已存为草稿');
      onOpenChange(false);
    }
  }

  // What stands outside the drawer is told here.
  const outside = (['title', 'content'] as const).filter((name) => shown[name] !== undefined);
  const options = categories.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Drawer
      open
      onOpenChange={onOpenChange}
      title="发布文章"
      footer={
        <>
          <span className={styles.note}>
            {facts.status === ESSAY_STATUS.onShelf ? '通过审核后替换原文' : '提交后进入审核'}
          </span>
          <Button onClick={keepDraft}>{facts.status === ESSAY_STATUS.onShelf ? '只保存' : '存为草稿'}</Button>
          <Button look="primary" busy={busy} onClick={submit}>
            提交审核
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {problem === '' ? null : <Notice tone="bad">{problem}</Notice>}
        {outside.map((name) => (
          <Notice key={name} tone="bad">
            {fieldLabels[name]}：{shown[name]}
          </Notice>
        ))}
        <Choices
          name="categoryId"
          legend="分类"
          options={options}
          value={draft.categoryId ?? ''}
          error={shown.categoryId}
          onChange={(categoryId) => set({ categoryId })}
        />
        <TagsField tags={draft.tags} error={shown.tags} onChange={(tags) => set({ tags })} />
        <CoverField
          title={draft.title}
          cover={draft.cover}
          error={shown.cover}
          onChange={(cover) => set({ cover })}
        />
        <TextArea
          name="summary"
          label="摘要"
          maxLength={200}
          value={draft.summary}
          error={shown.summary}
          hint="不写时取正文的开头。"
          onChange={({ target }) => set({ summary: target.value })}
        />
        <PriceField
          price={draft.price}
          error={shown.price}
          beside={
            // Whoever may read all of it has no use for a preview.
            draft.price === 0 && !draft.memberFree ? null : (
              <SelectField
                name="previewPercent"
                label="试读比例"
                options={percents}
                value={String(draft.previewPercent)}
                error={shown.previewPercent}
                onChange={({ target }) => set({ previewPercent: Number(target.value) })}
              />
            )
          }
          onChange={(price) => set({ price })}
          onProblem={(sentence) => setErrors({ ...errors, price: sentence })}
        />
        <div>
          <SwitchField
            name="memberFree"
            label="会员免费阅读"
            checked={draft.memberFree}
            onChange={({ target }) => set({ memberFree: target.checked })}
          />
          <SwitchField
            name="allowComment"
            label="允许评论"
            description={facts.status === ESSAY_STATUS.onShelf ? '立即生效，不用审核' : undefined}
            checked={draft.allowComment}
            onChange={({ target }) => set({ allowComment: target.checked })}
          />
        </div>
        <ColumnField
          columnId={draft.columnId}
          error={shown.columnId}
          onChange={(columnId) => set({ columnId })}
        />
        <SelectField
          name="declaration"
          label="创作声明"
          options={declarations}
          value={draft.declaration}
          error={shown.declaration}
          onChange={({ target }) => set({ declaration: target.value as Declaration })}
        />
        {draft.declaration === 'reprint' || draft.source !== '' ? (
          <Field
            name="source"
            label="原文地址"
            type="url"
            placeholder="https://"
            value={source}
            error={shown.source}
            onChange={({ target: { value } }) => {
              setSource(value);
              const address = completeAddress(value);
              if (address === '' || isWebAddress(address)) set({ source: address });
              else setErrors({ ...errors, source: WEB_ADDRESS_NEEDED });
            }}
            onBlur={() => setSource(completeAddress(source))}
          />
        ) : null}
        <Field
          name="scheduledAt"
          label="上架时间"
          type="datetime-local"
          value={toClock(draft.scheduledAt)}
          error={shown.scheduledAt}
          hint="北京时间。审核通过后，到这个时间自动上架；空着则通过后由你上架。"
          aside={
            draft.scheduledAt === null ? null : (
              <Button look="ghost" size="small" onClick={() => set({ scheduledAt: null })}>
                清除
              </Button>
            )
          }
          onChange={({ target }) => set({ scheduledAt: fromClock(target.value) })}
        />
        <AttachmentsField
          writing={writing}
          error={shown.attachments}
          onChange={(attachments) => set({ attachments })}
        />
      </div>
    </Drawer>
  );
}
